import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from '../checkers/outage.ts';
import { observe, type Answer, type Seen } from './client.ts';
import type { System } from './system.ts';
import type { Tenant } from './world.ts';

export type Traffic = {
  history: Seen[];
  writes: Write[];
  /** Ends when every write has its answer, or has been repeated for long enough. */
  stop(): Promise<void>;
};

type Kind = { name: string; send: () => Promise<Answer> };

const pauseMs = 40;
const timeoutMs = 40_000;
const writePatienceMs = 15_000;

/** A client for each kind of request, so that one kind that hangs leaves the others their pace. */
export function startTraffic(system: System, tenant: Tenant, { writers = 1 } = {}): Traffic {
  const history: Seen[] = [];
  const writes: Write[] = [];
  const stopping = new AbortController();
  const loops = [
    ...kinds(system, tenant).map(({ name, send }) =>
      repeat(stopping.signal, async () => void (await observe(history, name, send))),
    ),
    ...Array.from({ length: writers }, () =>
      repeat(stopping.signal, () => writeOnce(system, tenant, { history, writes }, stopping.signal)),
    ),
  ];
  return {
    history,
    writes,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

function kinds(system: System, { ids, customer, partner }: Tenant): Kind[] {
  const { orgId, brandId, idleBrandId, promptId, jobId, endpointId } = ids;
  const get = (name: string, path: string, key = customer.key): Kind => ({
    name,
    send: () => system.call('GET', path, { key, timeoutMs }),
  });
  return [
    get('GET /orgs', '/orgs'),
    get('read of brands and prompts', `/orgs/${orgId}/prompts`),
    get('read of results', `/orgs/${orgId}/brands/${brandId}/mentions`),
    get("read of one prompt's results", `/orgs/${orgId}/prompts/${promptId}/results`),
    get('read of a scan', `/orgs/${orgId}/brands/${brandId}/scan-requests/${jobId}`),
    get('read of webhooks', `/webhook-endpoints/${endpointId}/deliveries`, partner.key),
    {
      name: 'request of a scan',
      // A brand without prompts: it is judged like any other, and nothing is queued.
      send: async () => {
        const path = `/orgs/${orgId}/brands/${idleBrandId}/scan-requests`;
        const answer = await system.call('POST', path, { key: customer.key, timeoutMs });
        return answer.body?.error?.code === 'no_active_prompts' ? { ...answer, status: 200 } : answer;
      },
    },
    {
      name: 'write of a webhook endpoint',
      send: () =>
        system.call('PATCH', `/webhook-endpoints/${endpointId}`, {
          key: partner.key,
          body: { description: randomUUID() },
          timeoutMs,
        }),
    },
  ];
}

async function repeat(signal: AbortSignal, action: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await action();
    await sleep(pauseMs);
  }
}

/** As a careful client does it: the same key until there is an answer. */
async function writeOnce(
  system: System,
  { ids, customer }: Tenant,
  { history, writes }: Pick<Traffic, 'history' | 'writes'>,
  signal: AbortSignal,
): Promise<void> {
  const write: Write = { mark: randomUUID(), answered: false };
  writes.push(write);
  const headers = { 'idempotency-key': write.mark };
  const body = { text: write.mark, countries: ['US'], active: false };
  const path = `/orgs/${ids['orgId']}/brands/${ids['brandId']}/prompts`;
  for (let patience: number | undefined; !write.answered;) {
    const answer = await observe(
      history,
      'write of a prompt',
      () => system.call('POST', path, { key: customer.key, headers, body, timeoutMs }),
      { idempotencyKey: write.mark },
    );
    write.answered = answer?.status === 201;
    if (write.answered) return;
    if (signal.aborted) patience ??= performance.now() + writePatienceMs;
    if (patience !== undefined && performance.now() > patience) return;
    await sleep(200);
  }
}
