import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil, type DataServer } from '@bv/stack';
import { Redis } from 'ioredis';
import { checkOutage, recoveryOf } from '../checkers/outage.ts';
import type { Context, Outcome, Scenario } from '../harness/scenario.ts';
import { startStandbyRedis, type Store } from '../harness/stores.ts';
import { idempotencyLeaseMs } from '../harness/system.ts';
import { startTraffic } from '../harness/traffic.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Two servers behind one address, of which one is the primary. */
type Pair = { store: Store; standby: DataServer; first: Redis; second: Redis };

type Case = {
  name: string;
  /** From here on the server behind the open connections cannot count. */
  begin(pair: Pair): Promise<void>;
  /** From here on the address leads to one that can. */
  end(pair: Pair): Promise<void>;
};

const unusableMs = 6_000;
/** Delays of 50 ms to 1.6 s, then 2 s; a gateway and its first connection. */
const maxConnections = 10;

const promote = async (primary: Redis, replica: Redis, port: number): Promise<void> => {
  await primary.call('REPLICAOF', 'NO', 'ONE');
  await replica.call('REPLICAOF', '127.0.0.1', port);
};

/** Its replica has everything, and may become the primary. */
async function synchronised(replica: Redis): Promise<void> {
  const isUp = async (): Promise<boolean> =>
    (await replica.info('replication')).includes('master_link_status:up');
  if (!(await waitUntil(isUp, { timeoutMs: 20_000 }))) throw new Error('the replica has no primary');
}

const cases: Case[] = [
  {
    name: 'demoted, found behind its address at once',
    begin: async ({ store, standby, first, second }) => {
      store.leadTo(standby.port);
      await promote(second, first, standby.port);
    },
    end: async () => undefined,
  },
  {
    name: 'demoted, and the address leads to it for seconds more',
    begin: async ({ store, standby, first, second }) => {
      await promote(first, second, portOf(store));
      store.leadTo(standby.port);
    },
    end: async ({ store }) => store.leadTo(),
  },
  {
    name: 'isolated from its replicas',
    begin: async ({ first }) => void (await first.config('SET', 'min-replicas-to-write', '5')),
    end: async ({ store, standby, first, second }) => {
      await promote(second, first, standby.port);
      store.leadTo(standby.port);
    },
  },
];

const portOf = ({ directUrl }: Store): number => Number(new URL(directUrl).port);

async function oneCase(context: Context, world: World, pair: Pair, fault: Case): Promise<string[]> {
  const { system, say } = context;
  const traffic = startTraffic(system, world.victim);
  await sleep(1_000);
  const acceptedBefore = pair.store.proxy.accepted();
  const downAt = performance.now();
  await fault.begin(pair);
  await sleep(unusableMs);
  const tried = pair.store.proxy.accepted() - acceptedBefore;
  await fault.end(pair);
  const healedAt = performance.now();
  await sleep(7_000);
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
  const late = fault === cases[0] ? lateAfter(downAt, history) : [];
  say(
    `${fault.name}: ${history.length} requests, ${tried} connections in ${unusableMs / 1_000} s, ` +
      `recovered ${(recoveryOf(outage) / 1_000).toFixed(1)} s after`,
  );
  const violations = [...checkOutage(outage), ...late];
  if (tried > maxConnections) violations.push(`${tried} connections in ${unusableMs} ms`);
  return violations.map((violation) => `${fault.name}: ${violation}`);
}

/** Where the address leads to a primary from the start, all is well five seconds later. */
function lateAfter(
  downAt: number,
  history: readonly { name: string; status: number; startedAt: number }[],
): string[] {
  return history
    .filter(({ status, startedAt }) => status === 503 && startedAt > downAt + 5_000)
    .map(({ name }) => `${name}: still 503 five seconds after the fail-over`);
}

async function run(context: Context): Promise<Outcome> {
  const { system, random } = context;
  const world = await createWorld(system, `dr${random.between(1, 999_999)}`);
  const store = system.stores.redis;
  const standby = await startStandbyRedis();
  const pair: Pair = { store, standby, first: new Redis(store.directUrl), second: new Redis(standby.url) };
  const violations: string[] = [];
  try {
    await pair.second.call('REPLICAOF', '127.0.0.1', portOf(store));
    await synchronised(pair.second);
    for (const fault of cases) {
      violations.push(...(await oneCase(context, world, pair, fault)));
      await synchronised(fault === cases[1] ? pair.second : pair.first);
    }
  } finally {
    await pair.first.config('SET', 'min-replicas-to-write', '0');
    await pair.first.call('REPLICAOF', 'NO', 'ONE');
    store.leadTo();
    for (const client of [pair.first, pair.second]) client.disconnect();
    await standby.remove();
    await world.receiver.close();
  }
  return {
    violations,
    did: `${cases.length} fail-overs behind one address: ${cases.map(({ name }) => name).join('; ')}`,
  };
}

export const demotedRedis: Scenario = {
  name: 'demoted-redis',
  promise:
    'Redis that answers but cannot count: 503 with Retry-After at worst, left for the one behind its address, not hammered, all well 5 s after',
  run,
};
