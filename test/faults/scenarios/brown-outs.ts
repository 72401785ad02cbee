import { setTimeout as sleep } from 'node:timers/promises';
import { checkOutage, measureRecovery } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { Stores } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { readStoredTexts, startTraffic } from '../harness/traffic.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';

type Degradation = { name: string; begin(stores: Stores): void; again?(stores: Stores): void };

const each = (stores: Stores, action: (proxy: Stores['nats']['proxy']) => void): void => {
  for (const { proxy } of Object.values(stores)) action(proxy);
};

const degradations: Degradation[] = [
  { name: 'Postgres 100 ms late', begin: ({ postgres }) => postgres.proxy.set({ delayMs: 100 }) },
  { name: 'Redis 100 ms late', begin: ({ redis }) => redis.proxy.set({ delayMs: 50 }) },
  { name: 'NATS 300 ms late', begin: ({ nats }) => nats.proxy.set({ delayMs: 150 }) },
  {
    name: 'segments of three bytes',
    begin: (stores) => each(stores, (proxy) => proxy.set({ sliceBytes: 3 })),
  },
  {
    name: 'ends of connections forwarded a second late',
    begin: (stores) => each(stores, (proxy) => proxy.set({ closeDelayMs: 1_000 })),
  },
  {
    name: 'all connections reset repeatedly',
    begin: (stores) => each(stores, (proxy) => proxy.cut()),
    again: (stores) => each(stores, (proxy) => proxy.cut()),
  },
];

const durationMs = 4_000;

async function runDegradation(
  context: Context,
  fixture: Fixture,
  degradation: Degradation,
): Promise<string[]> {
  const { system, report } = context;
  const traffic = startTraffic(system, fixture.victim);
  await sleep(500);
  const downAt = performance.now();
  degradation.begin(system.stores);
  for (const until = performance.now() + durationMs; performance.now() < until;) {
    await sleep(context.random.between(300, 900));
    degradation.again?.(system.stores);
  }
  each(system.stores, (proxy) => proxy.clearFault());
  const restoredAt = performance.now();
  await sleep(2_500);
  await traffic.stop();
  const { history, writes } = traffic;
  const stored = await readStoredTexts(system, fixture.victim);
  const outage = {
    history,
    downAt,
    restoredAt,
    idempotencyLeaseMs,
    writes,
    stored,
  };
  const refused = history.filter(({ status }) => status === 503).length;
  report(
    `${degradation.name}: ${history.length} requests, ${refused} refused, last ${(measureRecovery(outage) / 1_000).toFixed(1)} s after`,
  );
  return checkOutage(outage).map((violation) => `${degradation.name}: ${violation}`);
}

async function run(context: Context): Promise<Outcome> {
  const fixture = await createFixture(context.system, `bo${context.random.between(1, 999_999)}`);
  const violations: string[] = [];
  for (const degradation of degradations)
    violations.push(...(await runDegradation(context, fixture, degradation)));
  await fixture.receiver.close();
  return { violations, summary: degradations.map(({ name }) => name).join(', ') };
}

export const storeDegradations: Scenario = {
  name: 'brown-outs',
  guarantee:
    'slow stores, cut connections and small segments: complete responses, at worst 503, each write stored once',
  run,
};
