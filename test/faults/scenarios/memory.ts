import { randomUUID } from 'node:crypto';
import { heapInUse, openInspector, type Inspector } from '@bv/measure';
import { freePort, startReceiver } from '@bv/local-stack';
import { checkMemory, bytesPerRequest, type HeapSample } from '../checkers/memory.ts';
import {
  createBrand,
  createCustomer,
  createPartner,
  expectStatus,
  link,
  request,
  type Customer,
  type Partner,
} from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';

/** The requests of one customer in an hour, sent as fast as possible. */
const perSecond = 3;
const total = perSecond * 3_600;
const clients = 12;
const samples = 16;
const leakedRequests = 3_000;

const kinds = ['catalog', 'results', 'scans', 'webhooks-api', 'webhooks-dispatcher', 'gateway'] as const;
type Process = { replica: Replica; inspector: Inspector };

/** Replicas with an inspector. Their gateway sends its requests to the other replicas. */
async function startProcesses(system: System): Promise<Map<string, Process>> {
  const processes = new Map<string, Process>();
  const upstreamUrls: Record<string, string> = {};
  for (const kind of kinds) {
    const port = await freePort();
    const replica = await startReplica(system, kind, {
      NODE_OPTIONS: `--inspect=127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
      CHECK_RESPONSES: 'false',
      ...(kind === 'gateway' ? upstreamUrls : {}),
    });
    upstreamUrls[`${kind.replace('-api', '').toUpperCase()}_URL`] = `http://127.0.0.1:${replica.port}`;
    processes.set(kind, { replica, inspector: await openInspector(port) });
  }
  return processes;
}

type Send = () => Promise<unknown>;

/** A mix of reads, writes, repeated and refused requests of a customer and a partner. */
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
  const endpointId: string = (await expectStatus(201, created)).body.data.id;
  return {
    customer: { ...customer, brandId, promptId: promptIds[0] ?? '' },
    partner: { ...partner, endpointId },
  };
}

/** Sends the requests in parts. After each part, while none is in flight, it measures the heap of every process. */
async function drive(
  sends: readonly Send[],
  processes: ReadonlyMap<string, Process>,
  requests: number,
): Promise<Map<string, HeapSample[]>> {
  const heapSamples = new Map<string, HeapSample[]>([...processes.keys()].map((name) => [name, []]));
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
      heapSamples.get(name)?.push({ requests: sent, bytes: await heapInUse(inspector) });
    }
  }
  return heapSamples;
}

/** A typical leak: an object that is kept for each request and never released. */
const leak = `process.getBuiltinModule('node:diagnostics_channel').subscribe('http.server.request.start',
  () => (globalThis.leaked ??= []).push({ at: new Date().toISOString(), of: Array(50).fill(Math.random()) }))`;

async function run({ system, report }: Context): Promise<Outcome> {
  const receiver = await startReceiver(() => 204);
  const processes = await startProcesses(system);
  try {
    const gateway = processes.get('gateway');
    if (gateway === undefined) throw new Error('no gateway');
    const { customer, partner } = await prepare(system, `${receiver.url}/held`);
    const sends = mix(`http://127.0.0.1:${gateway.replica.port}/v1`, customer, partner);
    const heapSamples = await drive(sends, processes, total);
    for (const [name, all] of heapSamples) {
      const [first, last] = [all[0]?.bytes ?? 0, all.at(-1)?.bytes ?? 0];
      report(
        `${name}: ${toMegabytes(first)} MB, then ${toMegabytes(last)} MB; ${bytesPerRequest(all).toFixed(0)} bytes a request`,
      );
    }
    await gateway.inspector.call('Runtime.evaluate', { expression: leak });
    const leaking = await drive(sends, new Map([['gateway', gateway]]), leakedRequests);
    const noticed = checkMemory(leaking);
    report(`with an injected leak: ${noticed.join() || 'not detected'}`);
    return {
      violations: [
        ...checkMemory(heapSamples),
        ...(noticed.length === 0 ? ['an injected leak is not detected'] : []),
      ],
      summary: `${total} requests, an hour at ${perSecond} a second; heaps of ${processes.size} processes after a forced collection; one injected leak`,
    };
  } finally {
    for (const { inspector } of processes.values()) inspector.close();
    await Promise.all([...processes.values()].map(({ replica }) => replica.process.stop()));
    await receiver.close();
  }
}

const toMegabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

export const memory: Scenario = {
  name: 'memory',
  guarantee: 'the requests of an hour leave no process with a larger heap',
  run,
};
