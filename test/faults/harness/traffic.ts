import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Write } from '../checkers/outage.ts';
import { observe, type Api, type ApiResponse, type Observation } from './client.ts';
import type { Tenant } from './fixture.ts';

export type Traffic = {
  history: Observation[];
  writes: Write[];
  /** Resolves when every write is acknowledged or its retry deadline has passed. */
  stop(): Promise<void>;
};

type Kind = { name: string; send: () => Promise<ApiResponse> };

const pauseMs = 40;
const timeoutMs = 40_000;
const maxWriteRetryMs = 15_000;

/** Starts one client for each kind of request, so that a hanging kind does not slow down the others. */
export function startTraffic(api: Api, tenant: Tenant, { writers = 1 } = {}): Traffic {
  const history: Observation[] = [];
  const writes: Write[] = [];
  const stopping = new AbortController();
  const loops = [
    ...kinds(api, tenant).map(({ name, send }) =>
      repeat(stopping.signal, async () => void (await observe(history, name, send))),
    ),
    ...Array.from({ length: writers }, () =>
      repeat(stopping.signal, () => writeOnce(api, tenant, { history, writes }, stopping.signal)),
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

function kinds(api: Api, { ids, customer, partner }: Tenant): Kind[] {
  const { orgId, brandId, idleBrandId, promptId, jobId, endpointId } = ids;
  const get = (name: string, path: string, key = customer.key): Kind => ({
    name,
    send: () => api.call('GET', path, { key, timeoutMs }),
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
      // A brand without prompts: the request is validated, and no scan is queued.
      send: async () => {
        const path = `/orgs/${orgId}/brands/${idleBrandId}/scan-requests`;
        const response = await api.call('POST', path, { key: customer.key, timeoutMs });
        return response.body?.error?.code === 'no_active_prompts' ? { ...response, status: 200 } : response;
      },
    },
    {
      name: 'write of a webhook endpoint',
      send: () =>
        api.call('PATCH', `/webhook-endpoints/${endpointId}`, {
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

/** Repeats one write with the same idempotency key until it is acknowledged. */
async function writeOnce(
  api: Api,
  { ids, customer }: Tenant,
  { history, writes }: Pick<Traffic, 'history' | 'writes'>,
  signal: AbortSignal,
): Promise<void> {
  const write: Write = { mark: randomUUID(), acknowledged: false };
  writes.push(write);
  const headers = { 'idempotency-key': write.mark };
  const body = { text: write.mark, countries: ['US'], active: false };
  const path = `/orgs/${ids['orgId']}/brands/${ids['brandId']}/prompts`;
  for (let deadline: number | undefined; !write.acknowledged;) {
    const response = await observe(
      history,
      'write of a prompt',
      () => api.call('POST', path, { key: customer.key, headers, body, timeoutMs }),
      { idempotencyKey: write.mark },
    );
    write.acknowledged = response?.status === 201;
    if (write.acknowledged) return;
    if (signal.aborted) deadline ??= performance.now() + maxWriteRetryMs;
    if (deadline !== undefined && performance.now() > deadline) return;
    await sleep(200);
  }
}

/** The prompts of the tenant's brand that are stored, in order to find lost and repeated writes. */
export async function readStoredTexts(api: Api, { ids }: Tenant): Promise<string[]> {
  const rows = await api.rows<{ text: string }>('select text from catalog.prompts where brand_id = $1', [
    ids['brandId'],
  ]);
  return rows.map(({ text }) => text);
}
