import { setTimeout as sleep } from 'node:timers/promises';
import type { DataStoreId } from '@bv/stack';
import { checkOutage, recoveryOf, summarise, type Summary } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { Store } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createWorld, type World } from '../harness/world.ts';

export type Fault = { name: string; begin(store: Store): Promise<void>; end(store: Store): Promise<void> };

const titles: Record<DataStoreId, string> = { postgres: 'Postgres', redis: 'Redis', nats: 'NATS' };

/** Gone, there but frozen, and out of reach without a word: each fails in another way. */
const faults: Fault[] = [
  {
    name: 'killed',
    begin: (store) => (store.id === 'postgres' ? store.stopAtOnce() : store.kill()),
    end: (store) => store.start(),
  },
  { name: 'frozen', begin: (store) => store.freeze(), end: (store) => store.thaw() },
  {
    name: 'cut off',
    begin: async ({ proxy }) => proxy.set({ silent: true }),
    end: async ({ proxy }) => proxy.heal(),
  },
];

export type Measured = { store: string; fault: string; summaries: Summary[]; recoveryMs: number };
/** What was measured in this run, for the table of the documentation. */
export const measured: Measured[] = [];

let downMs = 10_000;
export const setDownSeconds = (seconds: number): void => {
  downMs = seconds * 1_000;
};
export const downSeconds = (): number => downMs / 1_000;

/** `lastsMs` is 0 for a fault that new connections do not meet: from its begin on the store counts as back. */
export async function oneFault(
  context: Context,
  world: World,
  store: Store,
  fault: Fault,
  lastsMs = downMs,
): Promise<string[]> {
  const { system, say } = context;
  const traffic = startTraffic(system, world.victim);
  await sleep(1_000);
  const downAt = performance.now();
  await fault.begin(store);
  await sleep(lastsMs);
  if (lastsMs > 0) await fault.end(store);
  const healedAt = performance.now();
  await sleep(7_000);
  await traffic.stop();
  if (lastsMs === 0) await fault.end(store);
  const { history, writes } = traffic;
  const rows = await system.rows<{ text: string }>('select text from catalog.prompts where brand_id = $1', [
    world.victim.ids['brandId'],
  ]);
  const stored = rows.map(({ text }) => text);
  const outage = { history, downAt, healedAt, idempotencyLeaseMs, writes, stored };
  const recoveryMs = recoveryOf(outage);
  measured.push({ store: titles[store.id], fault: fault.name, summaries: summarise(outage), recoveryMs });
  say(
    `${store.id} ${fault.name}: ${history.length} requests, ${writes.length} writes, ` +
      `recovered ${(recoveryMs / 1_000).toFixed(1)} s after it was back`,
  );
  return checkOutage(outage).map((violation) => `${fault.name}: ${violation}`);
}

/** What every service said meanwhile has reached every other once the relays had a moment. */
export async function unsent({ system }: Context): Promise<string[]> {
  const schemas = ['gateway', 'catalog', 'results', 'scans'];
  const count = schemas
    .map((schema) => `(select count(*) from ${schema}.outbox where sent_at is null)`)
    .join(' + ');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [row] = await system.rows<{ waiting: string }>(`select (${count})::text as waiting`);
    if (row?.waiting === '0') return [];
    await sleep(100);
  }
  return ['events still wait in an outbox ten seconds after everything is back'];
}

function outage(id: DataStoreId): Scenario {
  const run = async (context: Context): Promise<Outcome> => {
    const store = context.system.stores[id];
    const world = await createWorld(context.system, `o${id}${context.random.between(1, 999_999)}`);
    const violations: string[] = [];
    for (const fault of faults) violations.push(...(await oneFault(context, world, store, fault)));
    violations.push(...(await unsent(context)));
    await world.receiver.close();
    const slowest = Math.max(
      ...measured.filter(({ store: name }) => name === titles[id]).map((one) => one.recoveryMs),
    );
    return {
      violations,
      did: `${faults.map(({ name }) => name).join(', ')}, ${downMs / 1_000} s each; slowest recovery ${(slowest / 1_000).toFixed(1)} s`,
    };
  };
  return {
    name: `outage-${id}`,
    promise: `${titles[id]} away under traffic: 503 with Retry-After at worst, 409 to a retry whose first try may still be at work, all well 5 s after, every write once`,
    run,
  };
}

export const outages: readonly Scenario[] = [outage('redis'), outage('nats'), outage('postgres')];
