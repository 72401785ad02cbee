import { setTimeout as sleep } from 'node:timers/promises';
import { checkRolling } from '../checkers/rolling.ts';
import {
  createBrand,
  createCustomer,
  createPartner,
  link,
  observe,
  request,
  type Answer,
  type Seen,
} from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

const kinds = ['catalog', 'results', 'scans', 'webhooks-api', 'gateway'] as const;
type Kind = (typeof kinds)[number];

const drainMs = '1500';
const probeMs = 100;

/** What a cluster's service does: new connections go to a process that says it is ready. */
type Balanced = { proxy: TcpProxy; replica: Replica; env: Record<string, string> };

async function balance(system: System, kind: Kind, env: Record<string, string>): Promise<Balanced> {
  const settings = { DRAIN_MS: drainMs, ...env };
  let balanced: Balanced | undefined;
  const proxy = await startTcpProxy(() => balanced?.replica.port);
  balanced = { proxy, replica: await startReplica(system, kind, settings), env: settings };
  return balanced;
}

/** The new one is ready before the old one is told to stop, and takes over when the old one's probe is seen off. */
async function roll(system: System, kind: Kind, balanced: Balanced): Promise<void> {
  const next = await startReplica(system, kind, balanced.env);
  const { replica: old } = balanced;
  old.process.signal('SIGTERM');
  while (await old.ready()) await sleep(probeMs);
  balanced.replica = next;
  await old.process.exited;
}

async function load(
  send: (method: string, path: string, body?: unknown) => Promise<Answer>,
  paths: string[],
  write: string,
  stop: AbortSignal,
): Promise<Seen[]> {
  const history: Seen[] = [];
  let count = 0;
  const loops = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = worker; !stop.aborted; turn += 1) {
      const path = paths[turn % (paths.length + 1)];
      count += 1;
      const body = { text: `rolled ${count}`, countries: ['US'], active: false };
      await observe(history, path === undefined ? 'POST prompts' : `GET ${path}`, () =>
        path === undefined ? send('POST', write, body) : send('GET', path),
      );
      await sleep(15);
    }
  });
  await Promise.all(loops);
  return history;
}

async function run({ system, random, say }: Context): Promise<Outcome> {
  const customer = await createCustomer(system);
  const partner = await createPartner(system);
  await link(system, partner, customer.orgId, 'read_write');
  const { brandId } = await createBrand(system, customer, {
    name: `Rolled ${random.between(1, 999_999)}`,
    texts: ['q'],
  });
  const services = new Map<Kind, Balanced>();
  for (const kind of kinds) {
    const env = kind === 'gateway' ? upstreams(services) : {};
    services.set(kind, await balance(system, kind, env));
  }
  const front = services.get('gateway');
  if (front === undefined) throw new Error('no gateway');
  const base = `http://127.0.0.1:${front.proxy.port}/v1`;
  const stop = new AbortController();
  const org = `/orgs/${customer.orgId}`;
  const paths = [
    '/orgs',
    org,
    `${org}/prompts`,
    `${org}/brands/${brandId}/mentions`,
    `${org}/brands/summary`,
    '/webhook-endpoints',
  ];
  const loading = load(
    (method, path, body) =>
      request(base + path, method, { key: partner.key, ...(body === undefined ? {} : { body }) }),
    paths,
    `${org}/brands/${brandId}/prompts`,
    stop.signal,
  );
  const rolled: number[] = [];
  for (const kind of kinds) {
    const from = performance.now();
    await roll(system, kind, services.get(kind) ?? front);
    rolled.push(performance.now() - from);
    say(`${kind} restarted after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  }
  stop.abort();
  const history = await loading;
  for (const { proxy, replica } of services.values()) {
    await replica.process.stop();
    await proxy.close();
  }
  return {
    violations: checkRolling(history),
    did: `${kinds.length} services restarted one by one under ${history.length} requests`,
  };
}

/** The gateway reaches each service through its balancer. */
function upstreams(services: Map<Kind, Balanced>): Record<string, string> {
  return Object.fromEntries(
    [...services].map(([kind, { proxy }]) => [
      `${kind.replace('-api', '').toUpperCase()}_URL`,
      `http://127.0.0.1:${proxy.port}`,
    ]),
  );
}

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  promise: 'every service restarted under load, one after another: not one request fails',
  run,
};
