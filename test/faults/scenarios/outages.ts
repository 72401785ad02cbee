import { setTimeout as sleep } from 'node:timers/promises';
import type { DataStoreId } from '@bv/local-stack';
import { checkOutage, measureRecovery, summarise, type Summary } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import type { Store } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { readStoredTexts, startTraffic } from '../harness/traffic.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';

type Fault = { name: string; begin(store: Store): Promise<void>; end(store: Store): Promise<void> };

const titles: Record<DataStoreId, string> = { postgres: 'Postgres', redis: 'Redis', nats: 'NATS' };

/** Stopped, frozen, and unreachable without a reset. Each fails in another way. */
const faults: Fault[] = [
  {
    name: 'killed',
    begin: (store) => (store.id === 'postgres' ? store.stopImmediately() : store.kill()),
    end: (store) => store.start(),
  },
  { name: 'frozen', begin: (store) => store.freeze(), end: (store) => store.thaw() },
  {
    name: 'cut off',
    begin: async ({ proxy }) => proxy.setSilent(),
    end: async ({ proxy }) => proxy.clearFault(),
  },
];

export type Measured = { store: string; fault: string; summaries: Summary[]; recoveryMs: number };
/** Measurements of this run, for the table in the documentation. */
export const measured: Measured[] = [];

let downMs = 10_000;
export const setDownSeconds = (seconds: number): void => {
  downMs = seconds * 1_000;
};
export const downSeconds = (): number => downMs / 1_000;

async function runFault(context: Context, fixture: Fixture, store: Store, fault: Fault): Promise<string[]> {
  const { system, report } = context;
  const traffic = startTraffic(system, fixture.victim);
  await sleep(1_000);
  const downAt = performance.now();
  await fault.begin(store);
  await sleep(downMs);
  await fault.end(store);
  const restoredAt = performance.now();
  await sleep(7_000);
  await traffic.stop();
  const { history, writes } = traffic;
  const stored = await readStoredTexts(system, fixture.victim);
  const outage = { history, downAt, restoredAt, idempotencyLeaseMs, writes, stored };
  const recoveryMs = measureRecovery(outage);
  measured.push({ store: titles[store.id], fault: fault.name, summaries: summarise(outage), recoveryMs });
  report(
    `${store.id} ${fault.name}: ${history.length} requests, ${writes.length} writes, ` +
      `recovered ${(recoveryMs / 1_000).toFixed(1)} s after the fault`,
  );
  return checkOutage(outage).map((violation) => `${fault.name}: ${violation}`);
}

/** Checks that every outbox is empty ten seconds after the fault. */
async function unsent({ system }: Context): Promise<string[]> {
  const schemas = ['gateway', 'catalog', 'results', 'scans'];
  const count = schemas
    .map((schema) => `(select count(*) from ${schema}.outbox where sent_at is null)`)
    .join(' + ');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [row] = await system.rows<{ waiting: string }>(`select (${count})::text as waiting`);
    if (row?.waiting === '0') return [];
    await sleep(100);
  }
  return ['an outbox has unsent events ten seconds after the fault'];
}

function outage(id: DataStoreId): Scenario {
  const run = async (context: Context): Promise<Outcome> => {
    const store = context.system.stores[id];
    const fixture = await createFixture(context.system, `o${id}${context.random.between(1, 999_999)}`);
    const violations: string[] = [];
    for (const fault of faults) violations.push(...(await runFault(context, fixture, store, fault)));
    violations.push(...(await unsent(context)));
    await fixture.receiver.close();
    const slowest = Math.max(
      ...measured.filter(({ store: name }) => name === titles[id]).map((one) => one.recoveryMs),
    );
    return {
      violations,
      summary: `${faults.map(({ name }) => name).join(', ')}, ${downMs / 1_000} s each; slowest recovery ${(slowest / 1_000).toFixed(1)} s`,
    };
  };
  return {
    name: `outage-${id}`,
    guarantee: `${titles[id]} unavailable under traffic: at worst 503 with Retry-After, 409 while the first attempt may still run, recovered after 5 s, every write once`,
    run,
  };
}

export const outages: readonly Scenario[] = [outage('redis'), outage('nats'), outage('postgres')];
