import { setTimeout as sleep } from 'node:timers/promises';
import { failpoints, type FailpointName } from '@bv/lifecycle';
import { waitUntil } from '@bv/local-stack';
import { checkFinalState } from '../checkers/kills.ts';
import { findInternalErrors, readFinalState } from '../harness/final-state.ts';
import { request, requestScans, type Customer } from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { checkReprocess, reprocessUntil, type CallService } from '../harness/reprocess.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';

/** The service that reaches a failpoint, by the first part of the failpoint's name. */
const kinds: Record<string, 'gateway' | 'catalog' | 'results' | 'scans' | 'webhooks-dispatcher'> = {
  relay: 'catalog',
  operation: 'catalog',
  consumer: 'results',
  unit: 'scans',
  delivery: 'webhooks-dispatcher',
  reprocess: 'results',
  gateway: 'gateway',
};

/** Those of purge and retention have tests in their services, because no traffic reaches them. */
const reached = failpoints.filter((point) => !/^(?:purge|retention)\./.test(point));

const needsScans: ReadonlySet<string> = new Set(['scans', 'webhooks-dispatcher']);

/** A gateway whose catalog and results are the replicas that will crash, or the regular ones when there are none. */
type CrashableGateway = {
  gateway: Replica;
  proxies: Record<'catalog' | 'results', TcpProxy>;
  crashing: Partial<Record<'catalog' | 'results' | 'gateway', Replica>>;
  /** Base URL for clients: the gateway that will crash, while it runs. */
  base(): string;
};

async function startCrashableGateway(system: System): Promise<CrashableGateway> {
  const crashing: CrashableGateway['crashing'] = {};
  const isRunning = (replica: Replica | undefined): replica is Replica => replica?.process.running() === true;
  const startProxy = (name: 'catalog' | 'results'): Promise<TcpProxy> => {
    const usual = Number(system.stack.plan.find((service) => service.name === name)?.env['PORT']);
    return startTcpProxy(() => {
      const replica = crashing[name];
      return isRunning(replica) ? replica.port : usual;
    });
  };
  const proxies = { catalog: await startProxy('catalog'), results: await startProxy('results') };
  const gateway = await startReplica(system, 'gateway', {
    CATALOG_URL: `http://127.0.0.1:${proxies.catalog.port}`,
    RESULTS_URL: `http://127.0.0.1:${proxies.results.port}`,
  });
  const base = (): string => {
    const running = isRunning(crashing.gateway) ? crashing.gateway : gateway;
    return `http://127.0.0.1:${running.port}/v1`;
  };
  return { gateway, proxies, crashing, base };
}

const maxWaitMs = 20_000;

const waitForExit = (replica: Replica): Promise<string> =>
  Promise.race([
    replica.process.exited,
    new Promise<string>((resolve) => setTimeout(resolve, maxWaitMs, 'no process reached it').unref()),
  ]);

/** Requests scans until the replica crashes, because the regular worker may lease all units of a scan first. */
async function requestScansUntilCrash(
  system: System,
  customer: Customer,
  { replica, mark }: { replica: Replica; mark: string },
): Promise<string[]> {
  const jobs: string[] = [];
  const deadline = performance.now() + maxWaitMs;
  while (replica.process.running() && performance.now() < deadline) {
    jobs.push(...(await requestScans(system, customer, [`${mark} ${jobs.length}`])));
    await Promise.race([replica.process.exited, sleep(2_000)]);
  }
  return jobs;
}

async function crashAt(
  system: System,
  gatewayUnderTest: CrashableGateway,
  fixture: Fixture,
  at: { point: FailpointName; mark: string },
): Promise<{ jobs: string[]; violations: string[] }> {
  const kind = kinds[at.point.split('.')[0] ?? ''];
  if (kind === undefined) return { jobs: [], violations: [`${at.point}: no service is known to reach it`] };
  // While the regular dispatcher is stopped, the replica leases the deliveries.
  if (kind === 'webhooks-dispatcher') system.signal(kind, 'SIGSTOP');
  const replica = await startReplica(system, kind, { CRASH_AT: at.point }, { mayDie: true });
  const isReprocess = at.point.startsWith('reprocess.');
  const { crashing, proxies } = gatewayUnderTest;
  if (kind === 'catalog' || isReprocess) {
    const name = isReprocess ? 'results' : 'catalog';
    crashing[name] = replica;
    // The gateway keeps its connections. Only new ones reach the crashing replica.
    proxies[name].cut();
  }
  if (kind === 'gateway') crashing.gateway = replica;
  const jobs = needsScans.has(kind)
    ? await requestScansUntilCrash(system, fixture.victim.customer, { replica, mark: at.mark })
    : [];
  if (isReprocess) {
    const call: CallService = (...[method, path, options]) =>
      request(gatewayUnderTest.base() + path, method, options);
    await reprocessUntil(replica.process.exited, { call, tenant: fixture.victim, maxWaitMs: 3 * maxWaitMs });
  }
  const end = await waitForExit(replica);
  for (const name of ['catalog', 'results', 'gateway'] as const) delete crashing[name];
  if (kind === 'webhooks-dispatcher') system.signal(kind, 'SIGCONT');
  await replica.process.kill();
  return { jobs, violations: end === 'SIGKILL' ? [] : [`${at.point}: ${end}`] };
}

async function run({ system, random, report }: Context): Promise<Outcome> {
  const mark = `c${random.between(1, 999_999)}`;
  const fixture = await createFixture(system, mark);
  const gatewayUnderTest = await startCrashableGateway(system);
  const rerouted = {
    ...system,
    call: (...[method, path, options]: Parameters<CallService>) =>
      request(gatewayUnderTest.base() + path, method, options),
  };
  await system.simulate({ platform: 'claude', kind: 'slow', delayMs: 300 });
  const traffic = startTraffic(rerouted, fixture.victim, { writers: 6 });
  const violations: string[] = [];
  const jobs: string[] = [];
  for (const [number, point] of reached.entries()) {
    const crash = await crashAt(system, gatewayUnderTest, fixture, { point, mark: `${mark} ${number}` });
    violations.push(...crash.violations);
    jobs.push(...crash.jobs);
    report(`${point}: ${crash.violations.length === 0 ? 'crashed there' : crash.violations.join()}`);
  }
  await system.simulate({ platform: 'claude', kind: null });
  await traffic.stop();
  const readState = () => readFinalState(system, fixture, traffic, jobs);
  const atRest = async (): Promise<boolean> => {
    const finalState = await readState();
    return finalState.deliveries.length > jobs.length && checkFinalState(finalState).length === 0;
  };
  await waitUntil(atRest, { timeoutMs: 45_000, intervalMs: 500 });
  const finalState = await readState();
  violations.push(...checkFinalState(finalState), ...findInternalErrors(traffic));
  // One more: the scan of the fixture.
  if (finalState.deliveries.length !== jobs.length + 1)
    violations.push(`${finalState.deliveries.length} deliveries for ${jobs.length + 1} scans`);
  violations.push(...(await checkReprocess(system, fixture.victim)));
  await gatewayUnderTest.gateway.process.stop();
  for (const proxy of Object.values(gatewayUnderTest.proxies)) await proxy.close();
  await fixture.receiver.close();
  return {
    violations,
    summary: `a process crashed at each of ${reached.length} failpoints; ${traffic.writes.length} writes, ${jobs.length} scans, ${finalState.deliveries.length} deliveries`,
  };
}

export const crashPointsByName: Scenario = {
  name: 'crash-points',
  guarantee: 'a process that crashes at a failpoint loses nothing and does nothing twice',
  run,
};
