import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '@bv/postgres';
import { eventually, type TestDatabase } from '@bv/testkit';
import pg from 'pg';
import { createEarlierDatabase } from './earlier-database.ts';

const lockNotAvailable = '55P03';
const steps = ['start_partition_copies', 'switch_to_partitioned_tables'] as const;
type Step = (typeof steps)[number];

let database: TestDatabase;
let clients: pg.Client[];
let admin: pg.Client;
beforeEach(async () => {
  database = await createEarlierDatabase();
  clients = [];
  admin = await connect();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

const listTables = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    'select name from partitioned_tables() order by place',
  );
  return rows.map(({ name }) => name);
};

/** Makes a step the next one. */
async function prepare(step: Step): Promise<void> {
  for (const name of await listTables()) await admin.query('select create_partitioned_table($1, 4)', [name]);
  if (step === 'switch_to_partitioned_tables') await admin.query('select start_partition_copies()');
}

/** Holds a table until the returned function is called. */
async function hold(table: string, mode: string): Promise<pg.Client> {
  const holder = await connect();
  await holder.query(`begin; lock table ${table} in ${mode} mode`);
  return holder;
}

type Running = { error: () => string | undefined; isSettled: () => boolean; ended: Promise<void> };

/** Begins a step. `error` is the SQL state of its failure. */
async function run(step: Step): Promise<Running> {
  const client = await connect();
  let [state, settled]: [string | undefined, boolean] = [undefined, false];
  const ended = client
    .query(`select ${step}()`)
    .then(() => undefined)
    .catch((error: unknown) => {
      state = sqlState(error) ?? String(error);
    })
    .finally(() => {
      settled = true;
    });
  return { error: () => state, isSettled: () => settled, ended };
}

const waitsFor = async (table: string): Promise<boolean> => {
  const { rowCount } = await admin.query(
    'select 1 from pg_locks where not granted and relation = $1::regclass',
    [table],
  );
  return rowCount === 1;
};

test.each(steps)('%s waits a limited time in all, not for each table', async (step) => {
  await prepare(step);
  const tables = await listTables();
  const holders = await Promise.all(tables.map((table) => hold(table, 'row exclusive')));
  const running = await run(step);
  let released = 0;
  for (const [index, table] of tables.entries()) {
    await eventually(async () => expect(running.isSettled() || (await waitsFor(table))).toBe(true), {
      intervalMs: 5,
    });
    if (running.isSettled()) break;
    await sleep(300);
    await holders[index]?.query('commit');
    released += 1;
  }
  await running.ended;
  expect(running.error()).toBe(lockNotAvailable);
  expect(released).toBeLessThan(tables.length);
});

test.each(steps)('%s gives up, and not a writer that locks the tables in another order', async (step) => {
  await prepare(step);
  const writer = await hold('window_scores', 'row exclusive');
  let running = await run(step);
  const waits = async (): Promise<void> => {
    // The wait may end before a busy machine sees it.
    if (running.isSettled()) {
      expect(running.error()).toBe(lockNotAvailable);
      running = await run(step);
    }
    expect(await waitsFor('window_scores')).toBe(true);
  };
  await eventually(waits, { intervalMs: 5, timeoutMs: 30_000 });
  // The step holds this table.
  await writer.query('delete from units');
  await running.ended;
  expect(running.error()).toBe(lockNotAvailable);
  await writer.query('commit');
  const again = await run(step);
  await again.ended;
  expect(again.error()).toBeUndefined();
});

test.each(steps)('%s waits for a vacuum, and keeps no statement waiting', async (step) => {
  await prepare(step);
  const vacuum = await hold('units', 'share update exclusive');
  const running = await run(step);
  await eventually(async () => expect(await waitsFor('units')).toBe(true));
  await admin.query(`set lock_timeout = '100ms'`);
  for (const name of await listTables()) await admin.query(`delete from ${name}`);
  expect(running.isSettled()).toBe(false);
  await vacuum.query('commit');
  await running.ended;
  expect(running.error()).toBeUndefined();
});

test('copies are removed before the switch, and can begin again', async () => {
  await prepare('switch_to_partitioned_tables');
  await admin.query('call remove_partition_copies()');
  const { rows } = await admin.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = current_schema()::regnamespace
       and (relname ~ '^(partitioned_|removed_)' or relname ~ '_p[0-9]+$')`,
  );
  expect(rows).toEqual([]);
  await prepare('switch_to_partitioned_tables');
  const running = await run('switch_to_partitioned_tables');
  await running.ended;
  expect(running.error()).toBeUndefined();
});
