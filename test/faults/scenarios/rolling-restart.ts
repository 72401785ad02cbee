import { setTimeout as sleep } from 'node:timers/promises';
import { checkRolling } from '../checkers/rolling.ts';
import {
  createBrand,
  createCustomer,
  createPartner,
  link,
  observe,
  request,
  type ApiResponse,
  type Observation,
} from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

const kinds = ['catalog', 'results', 'scans', 'webhooks-api', 'gateway'] as const;
type Kind = (typeof kinds)[number];

const drainMs = '1500';
const probeMs = 100;

/** Imitates a Kubernetes Service: new connections go to a process that is ready. */
type Balanced = { proxy: TcpProxy; replica: Replica; env: Record<string, string> };

async function balance(system: System, kind: Kind, env: Record<string, string>): Promise<Balanced> {
  const settings = { DRAIN_MS: drainMs, ...env };
  let balanced: Balanced | undefined;
  const proxy = await startTcpProxy(() => balanced?.replica.port);
  balanced = { proxy, replica: await startReplica(system, kind, settings), env: settings };
  return balanced;
}

/** Starts a new process, stops the old one, and switches connections when the probe of the old one fails. */
async function roll(system: System, kind: Kind, balanced: Balanced): Promise<void> {
  const next = await startReplica(system, kind, balanced.env);
  const { replica: old } = balanced;
  old.process.signal('SIGTERM');
  while (await old.ready()) await sleep(probeMs);
  balanced.replica = next;
  await old.process.exited;
}

async function load(
  send: (method: string, path: string, body?: unknown) => Promise<ApiResponse>,
  paths: string[],
  write: string,
  stop: AbortSignal,
): Promise<Observation[]> {
  const history: Observation[] = [];
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

async function run({ system, random, report }: Context): Promise<Outcome> {
  const customer = await createCustomer(system);
  const partner = await createPartner(system);
  await link(system, partner, customer.orgId, 'read_write');
  const { brandId } = await createBrand(system, customer, {
    name: `Rolled ${random.between(1, 999_999)}`,
    texts: ['q'],
  });
  const services = new Map<Kind, Balanced>();
  for (const kind of kinds) {
    const env = kind === 'gateway' ? upstreamUrls(services) : {};
    services.set(kind, await balance(system, kind, env));
  }
  const gatewayUnderTest = services.get('gateway');
  if (gatewayUnderTest === undefined) throw new Error('no gateway');
  const base = `http://127.0.0.1:${gatewayUnderTest.proxy.port}/v1`;
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
  const traffic = load(
    (method, path, body) =>
      request(base + path, method, { key: partner.key, ...(body === undefined ? {} : { body }) }),
    paths,
    `${org}/brands/${brandId}/prompts`,
    stop.signal,
  );
  const durations: number[] = [];
  for (const kind of kinds) {
    const from = performance.now();
    await roll(system, kind, services.get(kind) ?? gatewayUnderTest);
    durations.push(performance.now() - from);
    report(`${kind} restarted after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  }
  stop.abort();
  const history = await traffic;
  for (const { proxy, replica } of services.values()) {
    await replica.process.stop();
    await proxy.close();
  }
  return {
    violations: checkRolling(history),
    summary: `${kinds.length} services restarted one by one under ${history.length} requests`,
  };
}

/** The gateway reaches each service through its balancer. */
function upstreamUrls(services: Map<Kind, Balanced>): Record<string, string> {
  return Object.fromEntries(
    [...services].map(([kind, { proxy }]) => [
      `${kind.replace('-api', '').toUpperCase()}_URL`,
      `http://127.0.0.1:${proxy.port}`,
    ]),
  );
}

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  guarantee: 'every service restarted under load, one after another: no request fails',
  run,
};
