import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoints, type CrashPointName } from '@bv/lifecycle';
import { waitUntil } from '@bv/stack';
import { checkAftermath } from '../checkers/kills.ts';
import { forgottenServices, lookAt, requestScans } from '../harness/aftermath.ts';
import { request, type Customer } from '../harness/client.ts';
import { startReplica, type Replica } from '../harness/replica.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { System } from '../harness/system.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Who comes by the points of a name's first part. */
const kinds: Record<string, 'gateway' | 'catalog' | 'results' | 'scans' | 'webhooks-dispatcher'> = {
  relay: 'catalog',
  operation: 'catalog',
  consumer: 'results',
  unit: 'scans',
  delivery: 'webhooks-dispatcher',
  gateway: 'gateway',
};

const needsScans: ReadonlySet<string> = new Set(['scans', 'webhooks-dispatcher']);

/** A gateway that reaches the catalog replica which is to die, and the usual one when that is dead. */
type Front = {
  gateway: Replica;
  proxy: TcpProxy;
  doomed: Replica | undefined;
  doomedGateway: Replica | undefined;
  /** Where clients send to: a gateway that is to die, while there is one. */
  base(): string;
};

async function startFront(system: System): Promise<Front> {
  const usual = Number(system.stack.plan.find(({ name }) => name === 'catalog')?.env['PORT']);
  let front: Front | undefined;
  const proxy = await startTcpProxy(() =>
    front?.doomed?.process.running() === true ? front.doomed.port : usual,
  );
  const gateway = await startReplica(system, 'gateway', { CATALOG_URL: `http://127.0.0.1:${proxy.port}` });
  front = {
    gateway,
    proxy,
    doomed: undefined,
    doomedGateway: undefined,
    base: () =>
      `http://127.0.0.1:${(front?.doomedGateway?.process.running() === true ? front.doomedGateway : gateway).port}/v1`,
  };
  return front;
}

const patienceMs = 20_000;

const fate = (replica: Replica): Promise<string> =>
  Promise.race([
    replica.process.exited,
    new Promise<string>((resolve) => setTimeout(resolve, patienceMs, 'nobody came by').unref()),
  ]);

/** One scan after the other while the doomed lives: the usual worker may take all units of a scan before it looks. */
async function requestScansUntilDead(
  system: System,
  customer: Customer,
  { doomed, mark }: { doomed: Replica; mark: string },
): Promise<string[]> {
  const jobs: string[] = [];
  const deadline = performance.now() + patienceMs;
  while (doomed.process.running() && performance.now() < deadline) {
    jobs.push(...(await requestScans(system, customer, [`${mark} ${jobs.length}`])));
    await Promise.race([doomed.process.exited, sleep(2_000)]);
  }
  return jobs;
}

async function dieAt(
  system: System,
  front: Front,
  world: World,
  at: { point: CrashPointName; mark: string },
): Promise<{ jobs: string[]; violations: string[] }> {
  const kind = kinds[at.point.split('.')[0] ?? ''];
  if (kind === undefined) return { jobs: [], violations: [`${at.point}: nobody is known to come by`] };
  // A dispatcher that sleeps leaves the delivery to the one that is to die of it.
  if (kind === 'webhooks-dispatcher') system.signal(kind, 'SIGSTOP');
  const doomed = await startReplica(system, kind, { CRASH_AT: at.point }, { mayDie: true });
  if (kind === 'catalog') {
    front.doomed = doomed;
    // The gateway keeps its connections: only new ones lead to the doomed.
    front.proxy.cut();
  }
  if (kind === 'gateway') front.doomedGateway = doomed;
  const jobs = needsScans.has(kind)
    ? await requestScansUntilDead(system, world.victim.customer, { doomed, mark: at.mark })
    : [];
  const end = await fate(doomed);
  front.doomed = undefined;
  front.doomedGateway = undefined;
  if (kind === 'webhooks-dispatcher') system.signal(kind, 'SIGCONT');
  await doomed.process.kill();
  return { jobs, violations: end === 'SIGKILL' ? [] : [`${at.point}: ${end}`] };
}

async function run({ system, random, say }: Context): Promise<Outcome> {
  const mark = `c${random.between(1, 999_999)}`;
  const world = await createWorld(system, mark);
  const front = await startFront(system);
  const through = {
    ...system,
    call: (...[method, path, options]: Parameters<System['call']>) =>
      request(front.base() + path, method, options),
  };
  await system.simulate({ platform: 'claude', kind: 'slow', delayMs: 300 });
  const traffic = startTraffic(through, world.victim, { writers: 6 });
  const violations: string[] = [];
  const jobs: string[] = [];
  for (const [number, point] of crashPoints.entries()) {
    const died = await dieAt(system, front, world, { point, mark: `${mark} ${number}` });
    violations.push(...died.violations);
    jobs.push(...died.jobs);
    say(`${point}: ${died.violations.length === 0 ? 'died there' : died.violations.join()}`);
  }
  await system.simulate({ platform: 'claude', kind: null });
  await traffic.stop();
  const look = () => lookAt(system, world, traffic, jobs);
  const atRest = async (): Promise<boolean> => {
    const aftermath = await look();
    return aftermath.deliveries.length > jobs.length && checkAftermath(aftermath).length === 0;
  };
  await waitUntil(atRest, { timeoutMs: 45_000, intervalMs: 500 });
  const aftermath = await look();
  violations.push(...checkAftermath(aftermath), ...forgottenServices(traffic));
  // One more: the scan that made the world.
  if (aftermath.deliveries.length !== jobs.length + 1)
    violations.push(`${aftermath.deliveries.length} deliveries for ${jobs.length + 1} scans`);
  await front.gateway.process.stop();
  await front.proxy.close();
  await world.receiver.close();
  return {
    violations,
    did: `a process died at each of ${crashPoints.length} points; ${traffic.writes.length} writes, ${jobs.length} scans, ${aftermath.deliveries.length} deliveries`,
  };
}

export const crashPointsByName: Scenario = {
  name: 'crash-points',
  promise: 'a process that dies at a named point loses nothing and does nothing twice',
  run,
};
