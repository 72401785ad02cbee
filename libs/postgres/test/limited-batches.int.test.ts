import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { many, removeInLimitedBatches } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;
/** Other writers. */
let traffic: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  const url = db.urlOf(db.services[0] ?? '');
  opened = openPool(url);
  traffic = new pg.Client({ connectionString: url });
  await traffic.connect();
  await traffic.query('CREATE TABLE owners (id int PRIMARY KEY); INSERT INTO owners VALUES (1)');
  await traffic.query('CREATE TABLE things (id int PRIMARY KEY)');
});
afterAll(async () => {
  await traffic.end();
  await opened.pool.end();
  await db.drop();
});
beforeEach(() => traffic.query('TRUNCATE things; INSERT INTO things SELECT generate_series(1, 200)'));

/** Waits until a session of the database waits for a lock. `traffic` would see one state for a whole transaction. */
async function untilWaitsForLock(): Promise<void> {
  const waiting = () =>
    opened.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  while (!(await waiting()).rowCount) await sleep(20);
}

const countThings = async () => (await traffic.query('SELECT FROM things')).rowCount;

/** Removes all things under the lock of their owner. Returns whether none is left, and the times of the locks. */
async function removeThings() {
  const held: number[] = [];
  const isDone = await removeInLimitedBatches<{ id: number }>(
    opened.pool,
    {
      name: 'test.remove_things',
      list: (limit) =>
        many(opened.pool, { name: 'list', text: 'SELECT id FROM things LIMIT $1', values: [limit] }),
      locks: [{ text: 'SELECT FROM owners WHERE id = $1 FOR UPDATE', values: [1] }],
      remove: (rows) => ({
        text: `DELETE FROM things WHERE id = ANY (ARRAY(
                 SELECT id FROM things WHERE id = ANY ($1::int[]) FOR UPDATE SKIP LOCKED)) RETURNING id`,
        values: [rows.map(({ id }) => String(id))],
      }),
      onRemoved: (removed) => removed.length > 0,
      onBatch: (heldMs) => held.push(heldMs),
    },
    new AbortController().signal,
  );
  return { isDone, held };
}

test('the wait for a lock is no time for which a batch holds its locks', async () => {
  await traffic.query('BEGIN; SELECT FROM owners FOR UPDATE');
  const removal = removeThings();
  await untilWaitsForLock();
  await sleep(250);
  await traffic.query('COMMIT');
  const { isDone, held } = await removal;
  expect(isDone).toBe(true);
  expect(held.at(0)).toBeLessThan(200);
  expect(await countThings()).toBe(0);
});

test('a removal gives up a lock that others keep, and removes nothing', async () => {
  await traffic.query('BEGIN; SELECT FROM owners FOR UPDATE');
  const { isDone, held } = await removeThings();
  await traffic.query('COMMIT');
  expect({ isDone, held, left: await countThings() }).toEqual({
    isDone: false,
    held: [],
    left: 200,
  });
  expect(await removeThings()).toMatchObject({ isDone: true });
});

test('rows that others have locked are left to a later run', async () => {
  await traffic.query('BEGIN; SELECT FROM things WHERE id IN (1, 100) FOR UPDATE');
  expect(await removeThings()).toMatchObject({ isDone: false });
  expect(await countThings()).toBe(2);
  await traffic.query('COMMIT');
  expect(await removeThings()).toMatchObject({ isDone: true });
  expect(await countThings()).toBe(0);
});

test('rows that are slow for a time are removed in the end, and later batches have their limit again', async () => {
  await traffic.query(`CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF old.id = 1 THEN PERFORM pg_sleep(0.15); END IF; RETURN old; END $$;
    CREATE TRIGGER slow BEFORE DELETE ON things FOR EACH ROW EXECUTE FUNCTION be_slow()`);
  const { isDone, held } = await removeThings();
  await traffic.query('DROP TRIGGER slow ON things');
  expect(isDone).toBe(true);
  expect(held).toEqual(expect.arrayContaining([20, 40, 80]));
  expect(Math.max(...held)).toBeGreaterThan(150);
});
