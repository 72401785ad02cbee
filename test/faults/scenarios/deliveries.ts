import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, waitUntil, type ReceivedRequest, type Receiver } from '@bv/local-stack';
import { Webhook } from 'standardwebhooks';
import {
  checkDeliveryHistory,
  type Attempt,
  type Behaviour,
  type ObservedDelivery,
} from '../checkers/deliveries.ts';
import {
  createCustomer,
  createPartner,
  expectStatus,
  link,
  requestScans,
  type Partner,
} from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';

const endpoints = 100;
const kills = 10;
const killIntervalMs = 2_000;
/** A fast schedule, so that ten attempts fit, and breakers that close at once, so that every attempt is made. */
const dispatcherSettings = {
  WEBHOOKS_SCHEDULE_MS: '0,100,100,200,200,400,400,800,800,1600',
  WEBHOOKS_JITTER_PERCENT: '20',
  WEBHOOKS_TOTAL_TIMEOUT_MS: '1000',
  WEBHOOKS_LEASE_MS: '1500',
  WEBHOOKS_EXPIRED_LEASES_MS: '500',
  WEBHOOKS_BREAKER_OPEN_MS: '50',
  WEBHOOKS_BREAKER_OPEN_MAX_MS: '50',
};
const bad: Behaviour[] = ['refusing', 'hanging', 'dripping', 'resetting', 'redirecting'];
/** Three of four receivers accept every request. The rest is divided among the ways to fail. */
const chooseBehaviour = (number: number): Behaviour =>
  number % 4 !== 0
    ? 'ok'
    : number % 8 === 0
      ? 'flapping'
      : (bad[Math.floor(number / 8) % bad.length] ?? 'ok');

type Endpoint = { id: string; secret: string; behaviour: Behaviour; path: string };

/** Receivers of every kind behind one server. All of them accept the ping that verifies them. */
function startReceivers(behaviours: ReadonlyMap<string, Behaviour>): Promise<Receiver> {
  const flaps = new Map<string, number>();
  return startReceiver(async ({ path, body, headers }, response) => {
    if (body.includes('endpoint.ping')) return 204;
    const event = `${path} ${String(headers['webhook-id'])}`;
    switch (behaviours.get(path) ?? 'ok') {
      case 'flapping': {
        flaps.set(event, (flaps.get(event) ?? 0) + 1);
        return (flaps.get(event) ?? 0) % 3 === 0 ? 200 : 500;
      }
      case 'refusing':
        return 500;
      case 'hanging':
        return undefined;
      case 'dripping': {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 200);
        response.once('close', () => clearInterval(timer));
        return undefined;
      }
      case 'resetting':
        response.socket?.resetAndDestroy();
        return undefined;
      case 'redirecting':
        response.writeHead(302, { location: '/elsewhere' }).end();
        return undefined;
      case 'ok':
        return 200;
    }
  });
}

async function createEndpoints(
  system: System,
  { key }: Partner,
  url: string,
  behaviours: Map<string, Behaviour>,
): Promise<Endpoint[]> {
  const created: Endpoint[] = [];
  for (let number = 0; number < endpoints; number += 1) {
    const [path, behaviour] = [`/hook-${number}`, chooseBehaviour(number)];
    behaviours.set(path, behaviour);
    const body = { url: url + path };
    const { data } = (await expectStatus(201, system.call('POST', '/webhook-endpoints', { key, body }))).body;
    const subscribe = { key, body: { event_type: 'scan.completed' } };
    await expectStatus(201, system.call('POST', `/webhook-endpoints/${data.id}/subscriptions`, subscribe));
    created.push({ id: data.id, secret: data.secret, behaviour, path });
  }
  const waiting = async (): Promise<number> => {
    const listed = await expectStatus(200, system.call('GET', '/webhook-endpoints?limit=200', { key }));
    return listed.body.data.filter(({ status }: { status: string }) => status !== 'active').length;
  };
  if (!(await waitUntil(async () => (await waiting()) === 0, { timeoutMs: 30_000, intervalMs: 200 })))
    throw new Error('endpoints were not verified');
  return created;
}

type Row = { id: string; endpoint_id: string; event_id: string; status: string; attempts: Attempt[] };

async function readDeliveries(
  system: System,
  createdEndpoints: readonly Endpoint[],
  requests: readonly ReceivedRequest[],
): Promise<ObservedDelivery[]> {
  const rows = await system.rows<Row>(
    `select d.id, d.endpoint_id, d.event_id, d.status, coalesce((select json_agg(json_build_object(
       'startedAt', extract(epoch from a.started_at) * 1000, 'finishedAt', extract(epoch from a.finished_at) * 1000,
       'outcome', a.outcome) order by a.number) from webhooks.attempts a where a.delivery_id = d.id), '[]') as attempts
     from webhooks.deliveries d where d.endpoint_id = any($1) and d.event_type = 'scan.completed'`,
    [createdEndpoints.map(({ id }) => id)],
  );
  const byId = new Map(createdEndpoints.map((endpoint) => [endpoint.id, endpoint]));
  const got = Map.groupBy(requests, ({ path, headers }) => `${path} ${String(headers['webhook-id'])}`);
  return rows.flatMap(({ id, endpoint_id, event_id, status, attempts }) => {
    const endpoint = byId.get(endpoint_id);
    if (endpoint === undefined) return [];
    const received = got.get(`${endpoint.path} ${event_id}`) ?? [];
    const verifier = new Webhook(endpoint.secret);
    const badSignatures = received.filter((request) => !verifies(verifier, request)).length;
    return [
      { name: id, behaviour: endpoint.behaviour, status, attempts, received: received.length, badSignatures },
    ];
  });
}

function verifies(verifier: Webhook, { body, headers }: ReceivedRequest): boolean {
  try {
    verifier.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

async function run({ system, random, report }: Context): Promise<Outcome> {
  const behaviours = new Map<string, Behaviour>();
  const receiver = await startReceivers(behaviours);
  const [customer, partner] = await Promise.all([createCustomer(system), createPartner(system)]);
  await link(system, partner, customer.orgId, 'read_write');
  const createdEndpoints = await createEndpoints(system, partner, receiver.url, behaviours);
  report(`${createdEndpoints.length} endpoints verified`);
  // The regular dispatcher is stopped, because its schedule takes three days.
  system.signal('webhooks-dispatcher', 'SIGSTOP');
  const start = (): Promise<Replica> => startReplica(system, 'webhooks-dispatcher', dispatcherSettings);
  let [first, second] = await Promise.all([start(), start()]);
  const mark = `d${random.between(1, 999_999)}`;
  const marks = [0, 1, 2].map((number) => `${mark} ${number}`);
  const jobs = await requestScans(system, customer, marks);
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(killIntervalMs);
    await first.process.kill();
    [first, second] = [second, await start()];
  }
  report(`dispatchers killed ${kills} times`);
  const count = jobs.length * createdEndpoints.length;
  const look = async (): Promise<string[]> =>
    checkDeliveryHistory(await readDeliveries(system, createdEndpoints, receiver.requests), count);
  await waitUntil(async () => (await look()).length === 0, { timeoutMs: 60_000, intervalMs: 1_000 });
  const violations = await look();
  await Promise.all([first.process.stop(), second.process.stop()]);
  system.signal('webhooks-dispatcher', 'SIGCONT');
  await receiver.close();
  return {
    violations,
    summary: `${count} deliveries to ${createdEndpoints.length} endpoints of seven kinds, ${receiver.requests.length} requests, dispatchers killed ${kills} times`,
  };
}

export const deliveries: Scenario = {
  name: 'deliveries',
  guarantee:
    'dispatchers killed every 2 s, 100 receivers of every kind: each event is delivered or attempted ten times',
  run,
};
