import { randomUUID } from 'node:crypto';
import { heapInUse, openInspector, type Inspector } from '@bv/measure';
import { freePort, startReceiver } from '@bv/stack';
import { checkMemory, keptPerRequest, type Held } from '../checkers/memory.ts';
import {
  createBrand,
  createCustomer,
  createPartner,
  expected,
  link,
  request,
  type Customer,
  type Partner,
} from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';

/** An hour of a customer, sent as fast as it goes. */
const perSecond = 3;
const total = perSecond * 3_600;
const clients = 12;
const samples = 16;
const leakedRequests = 3_000;

const kinds = ['catalog', 'results', 'scans', 'webhooks-api', 'webhooks-dispatcher', 'gateway'] as const;
type Process = { replica: Replica; inspector: Inspector };

/** Replicas that can be looked into; the gateway among them sends its requests to the others. */
async function startProcesses(system: System): Promise<Map<string, Process>> {
  const processes = new Map<string, Process>();
  const upstreams: Record<string, string> = {};
  for (const kind of kinds) {
    const port = await freePort();
    const replica = await startReplica(system, kind, {
      NODE_OPTIONS: `--inspect=127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
      CHECK_RESPONSES: 'false',
      ...(kind === 'gateway' ? upstreams : {}),
    });
    upstreams[`${kind.replace('-api', '').toUpperCase()}_URL`] = `http://127.0.0.1:${replica.port}`;
    processes.set(kind, { replica, inspector: await openInspector(port) });
  }
  return processes;
}

type Send = () => Promise<unknown>;

/** Reads, writes, repeated and refused requests, as customers and partners mix them. */
function mix(base: string, customer: Customer & Ids, partner: Partner & { endpointId: string }): Send[] {
  const { orgId, brandId, promptId } = customer;
  const org = `/orgs/${orgId}`;
  const brand = `${org}/brands/${brandId}`;
  const send = (method: string, path: string, body?: unknown, key = customer.key): Send => {
    const idempotent = method === 'GET' ? {} : { headers: { 'idempotency-key': randomUUID() } };
    return () => request(base + path, method, { key, body, ...idempotent, timeoutMs: 20_000 });
  };
  const reads = [
    '/orgs',
    org,
    `${org}/prompts`,
    `${org}/brands`,
    `${org}/brands/summary`,
    brand,
    `${brand}/mentions`,
    `${brand}/scores`,
    `${brand}/sources`,
    `${org}/prompts/${promptId}/results`,
    `/orgs/${randomUUID()}`,
    `/nowhere/${randomUUID()}`,
  ].map((path) => send('GET', path));
  const hook = `/webhook-endpoints/${partner.endpointId}`;
  return [
    ...reads,
    send('GET', '/orgs', undefined, partner.key),
    send('GET', `${hook}/deliveries`, undefined, partner.key),
    () => send('PATCH', hook, { description: randomUUID() }, partner.key)(),
    () => send('PATCH', `${org}/prompts/${promptId}`, { tags: [randomUUID()] })(),
    () => send('PATCH', `${org}/prompts/${promptId}`, { text: randomUUID() })(),
    () => send('POST', `${brand}/competitors`, { name: 'Own', domain: 'no domain' })(),
  ];
}

type Ids = { brandId: string; promptId: string };

async function prepare(system: System, hookUrl: string) {
  const customer = await createCustomer(system);
  const partner = await createPartner(system);
  await link(system, partner, customer.orgId, 'read_write');
  const { brandId, promptIds } = await createBrand(system, customer, {
    name: `Held ${randomUUID()}`,
    texts: ['q'],
  });
  const created = system.call('POST', '/webhook-endpoints', { key: partner.key, body: { url: hookUrl } });
  const endpointId: string = (await expected(201, created)).body.data.id;
  return {
    customer: { ...customer, brandId, promptId: promptIds[0] ?? '' },
    partner: { ...partner, endpointId },
  };
}

/** Sends so many requests and looks at every process after each part of them, while nothing is under way. */
async function drive(
  sends: readonly Send[],
  processes: ReadonlyMap<string, Process>,
  requests: number,
): Promise<Map<string, Held[]>> {
  const held = new Map<string, Held[]>([...processes.keys()].map((name) => [name, []]));
  let sent = 0;
  for (let part = 1; part <= samples; part += 1) {
    const until = Math.round((requests * part) / samples);
    const loops = Array.from({ length: clients }, async () => {
      while (sent < until) {
        const send = sends[sent % sends.length];
        sent += 1;
        await send?.();
      }
    });
    await Promise.all(loops);
    for (const [name, { inspector }] of processes) {
      held.get(name)?.push({ requests: sent, bytes: await heapInUse(inspector) });
    }
  }
  return held;
}

/** A bug as they are made: something remembered for each request that nobody ever forgets. */
const leak = `process.getBuiltinModule('node:diagnostics_channel').subscribe('http.server.request.start',
  () => (globalThis.leaked ??= []).push({ at: new Date().toISOString(), of: Array(50).fill(Math.random()) }))`;

async function run({ system, say }: Context): Promise<Outcome> {
  const receiver = await startReceiver(() => 204);
  const processes = await startProcesses(system);
  try {
    const gateway = processes.get('gateway');
    if (gateway === undefined) throw new Error('no gateway');
    const { customer, partner } = await prepare(system, `${receiver.url}/held`);
    const sends = mix(`http://127.0.0.1:${gateway.replica.port}/v1`, customer, partner);
    const held = await drive(sends, processes, total);
    for (const [name, all] of held) {
      const [first, last] = [all[0]?.bytes ?? 0, all.at(-1)?.bytes ?? 0];
      say(
        `${name}: ${mega(first)} MB, then ${mega(last)} MB; ${keptPerRequest(all).toFixed(0)} bytes a request`,
      );
    }
    await gateway.inspector.call('Runtime.evaluate', { expression: leak });
    const leaking = await drive(sends, new Map([['gateway', gateway]]), leakedRequests);
    const noticed = checkMemory(leaking);
    say(`with a leak planted: ${noticed.join() || 'not noticed'}`);
    return {
      violations: [...checkMemory(held), ...(noticed.length === 0 ? ['a planted leak is not noticed'] : [])],
      did: `${total} requests, an hour at ${perSecond} a second; what ${processes.size} processes hold after a forced collection; a leak planted`,
    };
  } finally {
    for (const { inspector } of processes.values()) inspector.close();
    await Promise.all([...processes.values()].map(({ replica }) => replica.process.stop()));
    await receiver.close();
  }
}

const mega = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

export const memory: Scenario = {
  name: 'memory',
  promise: "an hour's requests leave no process with more than it held before",
  run,
};
