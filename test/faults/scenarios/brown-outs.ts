import { setTimeout as sleep } from 'node:timers/promises';
import { checkOutage, recoveryOf } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { Stores } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createWorld, type World } from '../harness/world.ts';

type BrownOut = { name: string; begin(stores: Stores): void; again?(stores: Stores): void };

const each = (stores: Stores, action: (proxy: Stores['nats']['proxy']) => void): void => {
  for (const { proxy } of Object.values(stores)) action(proxy);
};

const brownOuts: BrownOut[] = [
  { name: 'Postgres 100 ms late', begin: ({ postgres }) => postgres.proxy.set({ delayMs: 100 }) },
  { name: 'Redis 100 ms late', begin: ({ redis }) => redis.proxy.set({ delayMs: 50 }) },
  { name: 'NATS 300 ms late', begin: ({ nats }) => nats.proxy.set({ delayMs: 150 }) },
  { name: 'bytes in threes', begin: (stores) => each(stores, (proxy) => proxy.set({ sliceBytes: 3 })) },
  {
    name: 'ends told a second late',
    begin: (stores) => each(stores, (proxy) => proxy.set({ closeDelayMs: 1_000 })),
  },
  {
    name: 'every connection reset, again and again',
    begin: (stores) => each(stores, (proxy) => proxy.cut()),
    again: (stores) => each(stores, (proxy) => proxy.cut()),
  },
];

const lastsMs = 4_000;

async function oneBrownOut(context: Context, world: World, brownOut: BrownOut): Promise<string[]> {
  const { system, say } = context;
  const traffic = startTraffic(system, world.victim);
  await sleep(500);
  const downAt = performance.now();
  brownOut.begin(system.stores);
  for (const until = performance.now() + lastsMs; performance.now() < until;) {
    await sleep(context.random.between(300, 900));
    brownOut.again?.(system.stores);
  }
  each(system.stores, (proxy) => proxy.heal());
  const healedAt = performance.now();
  await sleep(2_500);
  await traffic.stop();
  const { history, writes } = traffic;
  const rows = await system.rows<{ text: string }>('select text from catalog.prompts where brand_id = $1', [
    world.victim.ids['brandId'],
  ]);
  const outage = {
    history,
    downAt,
    healedAt,
    idempotencyLeaseMs,
    writes,
    stored: rows.map(({ text }) => text),
  };
  const refused = history.filter(({ status }) => status === 503).length;
  say(
    `${brownOut.name}: ${history.length} requests, ${refused} refused, last ${(recoveryOf(outage) / 1_000).toFixed(1)} s after`,
  );
  return checkOutage(outage).map((violation) => `${brownOut.name}: ${violation}`);
}

async function run(context: Context): Promise<Outcome> {
  const world = await createWorld(context.system, `bo${context.random.between(1, 999_999)}`);
  const violations: string[] = [];
  for (const brownOut of brownOuts) violations.push(...(await oneBrownOut(context, world, brownOut)));
  await world.receiver.close();
  return { violations, did: brownOuts.map(({ name }) => name).join(', ') };
}

export const brownOutsOfStores: Scenario = {
  name: 'brown-outs',
  promise:
    'stores that are slow, cut connections or send bytes singly: whole answers, 503 at worst, each write once',
  run,
};
