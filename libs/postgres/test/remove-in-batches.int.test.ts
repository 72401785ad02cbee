import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { execute, removeInBatches, removeUnderLocks } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;
/** Another writer. */
let traffic: pg.Client;
const running = new AbortController().signal;

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

const countThings = async () => (await traffic.query('SELECT FROM things')).rowCount;

/** Removes all things under the lock of their owner. Returns the times for which batches held it. */
async function removeThings() {
  const held: number[] = [];
  const removeBatch = async (limit: number) => {
    const batch = await removeUnderLocks(
      opened.pool,
      (tx) => tx.query('SELECT FROM owners FOR UPDATE'),
      (tx) =>
        execute(tx, {
          name: 'test.remove_things',
          text: 'DELETE FROM things WHERE id IN (SELECT id FROM things ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)',
          values: [limit],
        }),
    );
    held.push(batch.heldMs);
    return batch;
  };
  return { ...(await removeInBatches(removeBatch, running)), held };
}

test('the wait for a lock is no time for which a batch holds its locks', async () => {
  await traffic.query('BEGIN; SELECT FROM owners FOR UPDATE');
  const removal = removeThings();
  await sleep(300);
  await traffic.query('COMMIT');
  const { removed, isDone, held } = await removal;
  expect({ removed, isDone }).toEqual({ removed: 200, isDone: true });
  expect(held.at(0)).toBeLessThan(200);
});

test('a removal ends if others keep a lock, and removes nothing', async () => {
  await traffic.query('BEGIN; SELECT FROM owners FOR UPDATE');
  expect(await removeThings()).toEqual({ removed: 0, isDone: false, held: [] });
  await traffic.query('COMMIT');
  expect(await countThings()).toBe(200);
});

test('locked rows stay, and a later run removes them', async () => {
  await traffic.query('BEGIN; SELECT FROM things WHERE id IN (1, 100) FOR UPDATE');
  expect(await removeThings()).toMatchObject({ removed: 198 });
  await traffic.query('COMMIT');
  expect(await removeThings()).toMatchObject({ removed: 2, isDone: true });
});

test('an error of a batch is thrown, and earlier batches stay removed', async () => {
  let batches = 0;
  const removeOnce = async (limit: number) => {
    const text =
      (batches += 1) === 1 ? 'DELETE FROM things WHERE id <= $1' : 'DELETE FROM none WHERE id <= $1';
    return execute(opened.pool, { name: `test.remove_${batches}`, text, values: [limit] });
  };
  await expect(removeInBatches(removeOnce, running)).rejects.toMatchObject({ code: '42P01' });
  expect(await countThings()).toBe(190);
});
