import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyRows, isUnavailable, many, one, sqlState, transaction } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import { startFlakyProxy } from './flaky-proxy.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;

beforeAll(async () => {
  db = await createTestDatabase();
  opened = openPool(db.urlOf(db.services[0] ?? ''));
  await opened.pool.query(
    'create table cells (id int primary key, text text, number numeric, flag boolean, list int[])',
  );
});
afterAll(async () => {
  await opened.pool.end();
  await db.drop();
});

const copy = { name: 'test.copy_cells', table: 'cells', columns: ['id', 'text', 'number', 'flag', 'list'] };

test.each([
  ['separators of the format', 'a\tb\nc\rd\\e'],
  ['the text that means null', String.raw`\N`],
  ['the end of data', String.raw`\.`],
  ['an empty text', ''],
  ['other characters', '→ „Ü“ 😀 \u0001 {}"\''],
])('a cell keeps its text: %s', async (_, text) => {
  await opened.pool.query('delete from cells');
  const count = await transaction(opened.pool, (tx) =>
    copyRows(tx, copy, [
      [1, text, 1.5, true, [1, 2]],
      [2, null, null, undefined, []],
    ]),
  );
  expect(count).toBe(2);
  const rows = await many(opened.pool, {
    name: 'cells',
    text: 'select * from cells order by id',
    values: [],
  });
  expect(rows).toEqual([
    { id: 1, text, number: 1.5, flag: true, list: [1, 2] },
    { id: 2, text: null, number: null, flag: null, list: [] },
  ]);
});

test('no rows need no statement', async () => {
  expect(await transaction(opened.pool, (tx) => copyRows(tx, { ...copy, table: 'missing' }, []))).toBe(0);
});

test('a row that exists undoes the transaction, and the connection can be used again', async () => {
  await opened.pool.query('delete from cells');
  const row = [1, 'first', null, null, null] as const;
  await transaction(opened.pool, (tx) => copyRows(tx, copy, [row]));
  const failed = await transaction(opened.pool, (tx) =>
    copyRows(tx, copy, [[2, 'new', null, null, null], row]),
  ).catch((error: unknown) => error);
  expect(sqlState(failed)).toBe('23505');
  expect(failed).toMatchObject({ query: 'test.copy_cells' });
  const { count } = await one<{ count: number }>(opened.pool, {
    name: 'count_cells',
    text: 'select count(*) from cells',
    values: [],
  });
  expect(count).toBe(1);
});

test('a server that goes silent before a COPY has a deadline, and its connection is dropped', async () => {
  const proxy = await startFlakyProxy(db.urlOf(db.services[0] ?? ''));
  const flaky = openPool(proxy.url);
  const failed = await transaction(flaky.pool, async (tx) => {
    await tx.query('select 1');
    proxy.hang();
    return copyRows(tx, copy, [[3, null, null, null, null]]);
  }).catch((error: unknown) => error);
  expect(isUnavailable(failed)).toBe(true);
  expect(flaky.pool.totalCount).toBe(0);
  await flaky.pool.end();
  await proxy.close();
}, 30_000);
