import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil, type DataServer } from '@bv/local-stack';
import { Redis } from 'ioredis';
import { checkOutage, measureRecovery } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { startStandbyRedis, type Store } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { readStoredTexts, startTraffic } from '../harness/traffic.ts';
import { createFixture, type Fixture } from '../harness/fixture.ts';

/** Two servers behind one address, of which one is the primary. */
type Pair = { store: Store; standby: DataServer; first: Redis; second: Redis };

type Case = {
  name: string;
  /** Makes the server behind the open connections unable to write. */
  begin(pair: Pair): Promise<void>;
  /** Makes the address lead to a server that can write. */
  end(pair: Pair): Promise<void>;
};

const unusableMs = 6_000;
/** Connections of one gateway in `unusableMs`, with a backoff of 50 ms to 2 s. */
const maxConnections = 10;

const promote = async (primary: Redis, replica: Redis, port: number): Promise<void> => {
  await primary.call('REPLICAOF', 'NO', 'ONE');
  await replica.call('REPLICAOF', '127.0.0.1', port);
};

/** Waits until the replica is in sync with its primary. */
async function waitForSync(replica: Redis): Promise<void> {
  const isUp = async (): Promise<boolean> =>
    (await replica.info('replication')).includes('master_link_status:up');
  if (!(await waitUntil(isUp, { timeoutMs: 20_000 }))) throw new Error('the replica has no primary');
}

const cases: Case[] = [
  {
    name: 'demoted, the address leads to the new primary at once',
    begin: async ({ store, standby, first, second }) => {
      store.routeTo(standby.port);
      await promote(second, first, standby.port);
    },
    end: async () => undefined,
  },
  {
    name: 'demoted, the address leads to the old primary for some seconds',
    begin: async ({ store, standby, first, second }) => {
      await promote(first, second, getPort(store));
      store.routeTo(standby.port);
    },
    end: async ({ store }) => store.routeTo(),
  },
  {
    name: 'isolated from its replicas',
    begin: async ({ first }) => void (await first.config('SET', 'min-replicas-to-write', '5')),
    end: async ({ store, standby, first, second }) => {
      await promote(second, first, standby.port);
      store.routeTo(standby.port);
    },
  },
];

const getPort = ({ directUrl }: Store): number => Number(new URL(directUrl).port);

async function runCase(context: Context, fixture: Fixture, pair: Pair, fault: Case): Promise<string[]> {
  const { system, report } = context;
  const traffic = startTraffic(system, fixture.victim);
  await sleep(1_000);
  const acceptedBefore = pair.store.proxy.accepted();
  const downAt = performance.now();
  await fault.begin(pair);
  await sleep(unusableMs);
  const tried = pair.store.proxy.accepted() - acceptedBefore;
  await fault.end(pair);
  const restoredAt = performance.now();
  await sleep(7_000);
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
  const late = fault === cases[0] ? findLateRefusals(downAt, history) : [];
  report(
    `${fault.name}: ${history.length} requests, ${tried} connections in ${unusableMs / 1_000} s, ` +
      `recovered ${(measureRecovery(outage) / 1_000).toFixed(1)} s after`,
  );
  const violations = [...checkOutage(outage), ...late];
  if (tried > maxConnections) violations.push(`${tried} connections in ${unusableMs} ms`);
  return violations.map((violation) => `${fault.name}: ${violation}`);
}

/** Refusals later than five seconds after a failover whose address leads to the new primary at once. */
function findLateRefusals(
  downAt: number,
  history: readonly { name: string; status: number; startedAt: number }[],
): string[] {
  return history
    .filter(({ status, startedAt }) => status === 503 && startedAt > downAt + 5_000)
    .map(({ name }) => `${name}: still 503 five seconds after the failover`);
}

async function run(context: Context): Promise<Outcome> {
  const { system, random } = context;
  const fixture = await createFixture(system, `dr${random.between(1, 999_999)}`);
  const store = system.stores.redis;
  const standby = await startStandbyRedis();
  const pair: Pair = { store, standby, first: new Redis(store.directUrl), second: new Redis(standby.url) };
  const violations: string[] = [];
  try {
    await pair.second.call('REPLICAOF', '127.0.0.1', getPort(store));
    await waitForSync(pair.second);
    for (const fault of cases) {
      violations.push(...(await runCase(context, fixture, pair, fault)));
      await waitForSync(fault === cases[1] ? pair.second : pair.first);
    }
  } finally {
    await pair.first.config('SET', 'min-replicas-to-write', '0');
    await pair.first.call('REPLICAOF', 'NO', 'ONE');
    store.routeTo();
    for (const client of [pair.first, pair.second]) client.disconnect();
    await standby.remove();
    await fixture.receiver.close();
  }
  return {
    violations,
    summary: `${cases.length} failovers behind one address: ${cases.map(({ name }) => name).join('; ')}`,
  };
}

export const demotedRedis: Scenario = {
  name: 'demoted-redis',
  guarantee:
    'Redis that responds but cannot write: at worst 503 with Retry-After, reconnect with backoff, recovered after 5 s',
  run,
};
