import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@bv/local-stack';
import { checkFinalState } from '../checkers/kills.ts';
import { findInternalErrors, readFinalState } from '../harness/final-state.ts';
import { requestScans } from '../harness/client.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createFixture } from '../harness/fixture.ts';

const killed = ['gateway', 'catalog', 'results', 'scans', 'webhooks-api', 'webhooks-dispatcher'] as const;
const rounds = 8;

async function killRandomProcesses({ system, random, report }: Context): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await sleep(random.between(500, 2_500));
    const victims = new Set([random.pick(killed), random.pick(killed)]);
    for (const name of victims) {
      try {
        system.signal(name, 'SIGKILL');
      } catch {
        // It has been killed already and is being restarted.
      }
    }
    if (round % 3 === 1) await system.stores.nats.kill().then(() => system.stores.nats.start());
    report(`killed ${[...victims].join(' and ')}${round % 3 === 1 ? ', and NATS' : ''}`);
  }
}

async function run(context: Context): Promise<Outcome> {
  const { system, random, report } = context;
  const mark = `k${random.between(1, 999_999)}`;
  const fixture = await createFixture(system, mark);
  await system.simulate({ platform: 'claude', kind: 'slow', delayMs: 1_500 });
  const jobs = await requestScans(
    system,
    fixture.victim.customer,
    ['a', 'b', 'c', 'd'].map((one) => `${mark} ${one}`),
  );
  const traffic = startTraffic(system, fixture.victim, { writers: 6 });
  await killRandomProcesses(context);
  await system.simulate({ platform: 'claude', kind: null });
  const stopped = traffic.stop();
  await system.healthy(60_000);
  await stopped;
  report(
    `${traffic.history.length} requests, ${traffic.writes.length} writes; waiting until all queues are empty`,
  );
  // Acknowledgements that were lost with NATS or a consumer must not block an operator call beyond its timeout.
  const changed = await system.operate('POST', '/orgs', { name: 'After kills', tier: 'scale' });
  const expectedEvents = jobs.length + 1;
  // Late work gets the time of a lease and a retry. Errors stay.
  const atRest = async (): Promise<boolean> => {
    const finalState = await readFinalState(system, fixture, traffic, jobs);
    return finalState.deliveries.length >= expectedEvents - 1 && checkFinalState(finalState).length === 0;
  };
  await waitUntil(atRest, { timeoutMs: 45_000, intervalMs: 500 });
  const finalState = await readFinalState(system, fixture, traffic, jobs);
  const violations = checkFinalState(finalState);
  if (finalState.deliveries.length < jobs.length)
    violations.push(`${finalState.deliveries.length} deliveries for ${jobs.length} scans`);
  violations.push(...findInternalErrors(traffic));
  if (changed.status !== 201)
    violations.push(`an operator call after the kills: ${changed.status} ${changed.text}`);
  await fixture.receiver.close();
  return {
    violations,
    summary: `${rounds} rounds of kill -9; ${traffic.writes.length} writes, ${jobs.length} scans, ${finalState.deliveries.length} deliveries`,
  };
}

export const kills: Scenario = {
  name: 'kills',
  guarantee:
    'kill -9 of every service and of NATS under writes, scans and deliveries: nothing lost, nothing twice',
  run,
};
