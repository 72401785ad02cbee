import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/stack';
import { checkAftermath } from '../checkers/kills.ts';
import { forgottenServices, lookAt, requestScans } from '../harness/aftermath.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createWorld } from '../harness/world.ts';

const killed = ['gateway', 'catalog', 'results', 'scans', 'webhooks-api', 'webhooks-dispatcher'] as const;
const rounds = 8;

async function killAround({ system, random, say }: Context): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await sleep(random.between(500, 2_500));
    const victims = new Set([random.pick(killed), random.pick(killed)]);
    for (const name of victims) {
      try {
        system.signal(name, 'SIGKILL');
      } catch {
        // It is dead already, and on its way back.
      }
    }
    if (round % 3 === 1) await system.stores.nats.kill().then(() => system.stores.nats.start());
    say(`killed ${[...victims].join(' and ')}${round % 3 === 1 ? ', and NATS' : ''}`);
  }
}

async function run(context: Context): Promise<Outcome> {
  const { system, random, say } = context;
  const mark = `k${random.between(1, 999_999)}`;
  const world = await createWorld(system, mark);
  await system.simulate({ platform: 'claude', kind: 'slow', delayMs: 1_500 });
  const jobs = await requestScans(
    system,
    world.victim.customer,
    ['a', 'b', 'c', 'd'].map((one) => `${mark} ${one}`),
  );
  const traffic = startTraffic(system, world.victim, { writers: 6 });
  await killAround(context);
  await system.simulate({ platform: 'claude', kind: null });
  const stopped = traffic.stop();
  await system.healthy(60_000);
  await stopped;
  say(
    `${traffic.history.length} requests, ${traffic.writes.length} writes; waiting until everything has come to rest`,
  );
  // Acknowledgements that died with NATS or a consumer must not hold the operator up for longer than he waits.
  const changed = await system.operate('POST', '/orgs', { name: 'After kills', tier: 'scale' });
  const expectedEvents = jobs.length + 1;
  // What is wrong stays wrong; what is only late gets the time of a lease and a retry.
  const atRest = async (): Promise<boolean> => {
    const aftermath = await lookAt(system, world, traffic, jobs);
    return aftermath.deliveries.length >= expectedEvents - 1 && checkAftermath(aftermath).length === 0;
  };
  await waitUntil(atRest, { timeoutMs: 45_000, intervalMs: 500 });
  const aftermath = await lookAt(system, world, traffic, jobs);
  const violations = checkAftermath(aftermath);
  if (aftermath.deliveries.length < jobs.length)
    violations.push(`${aftermath.deliveries.length} deliveries for ${jobs.length} scans`);
  violations.push(...forgottenServices(traffic));
  if (changed.status !== 201)
    violations.push(`an operator's change after them: ${changed.status} ${changed.text}`);
  await world.receiver.close();
  return {
    violations,
    did: `${rounds} rounds of kill -9; ${traffic.writes.length} writes, ${jobs.length} scans, ${aftermath.deliveries.length} deliveries`,
  };
}

export const kills: Scenario = {
  name: 'kills',
  promise:
    'kill -9 of every service and of NATS under writes, scans and deliveries: nothing lost, nothing doubled',
  run,
};
