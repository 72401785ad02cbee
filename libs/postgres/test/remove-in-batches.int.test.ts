import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { execute, one, removeInBatches } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;
let limits: number[];
const running = new AbortController().signal;

beforeAll(async () => {
  db = await createTestDatabase();
  opened = openPool(db.urlOf(db.services[0] ?? ''));
  await opened.pool.query('CREATE TABLE things (id int PRIMARY KEY)');
});

beforeEach(() => {
  limits = [];
});

afterAll(async () => {
  await opened.pool.end();
  await db.drop();
});

async function fill(count: number): Promise<void> {
  await opened.pool.query('TRUNCATE things');
  await opened.pool.query('INSERT INTO things SELECT generate_series(1, $1::int)', [count]);
}

function removeThings(limit: number): Promise<number> {
  limits.push(limit);
  return execute(opened.pool, {
    name: 'delete-things',
    text: `DELETE FROM things WHERE id IN (
             SELECT id FROM things ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    values: [limit],
  });
}

async function countLeft(): Promise<number> {
  const query = { name: 'count-things', text: 'SELECT count(*) AS n FROM things', values: [] };
  return (await one<{ n: number }>(opened.pool, query)).n;
}

test.each([
  [0, 1],
  [9, 1],
  [10, 2],
  [25, 3],
])('%i rows go in batches of 10, until one is not full: %i batches', async (count, batches) => {
  await fill(count);
  expect(await removeInBatches(10, removeThings, running)).toBe(count);
  expect(limits).toEqual(Array.from({ length: batches }, () => 10));
  expect(await countLeft()).toBe(0);
});

test('a run ends after 1,000 batches; the next one takes what is left', async () => {
  await fill(1_003);
  expect(await removeInBatches(1, removeThings, running)).toBe(1_000);
  expect(await countLeft()).toBe(3);
  expect(await removeInBatches(1, removeThings, running)).toBe(3);
});

test('an abort ends the run after the batch at hand, and one before the run leaves all as it is', async () => {
  await fill(30);
  const halt = new AbortController();
  const removeAndAbort = async (limit: number) => {
    const count = await removeThings(limit);
    if (limits.length === 2) halt.abort();
    return count;
  };
  expect(await removeInBatches(10, removeAndAbort, halt.signal)).toBe(20);
  expect(await removeInBatches(10, removeThings, halt.signal)).toBe(0);
  expect(await countLeft()).toBe(10);
});

test('rows another transaction holds end the run instead of keeping it waiting or going round', async () => {
  await fill(20);
  const holder = await opened.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM things WHERE id <= 5 FOR UPDATE');
    expect(await removeInBatches(10, removeThings, running)).toBe(15);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await removeInBatches(10, removeThings, running)).toBe(5);
});

test('an error of a batch is thrown, and what went before it stays gone', async () => {
  await fill(20);
  const removeThenFail = async (limit: number) =>
    limits.length === 1
      ? execute(opened.pool, { name: 'fail', text: 'DELETE FROM no_such_table', values: [] })
      : removeThings(limit);
  await expect(removeInBatches(10, removeThenFail, running)).rejects.toMatchObject({ code: '42P01' });
  expect(await countLeft()).toBe(10);
});
