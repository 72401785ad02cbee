import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execute, many, maybeOne, one, sqlState, uniqueViolation } from '../src/index.ts';
import { createTestDatabase, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

let db: TestDatabase;
let opened: LoggedPool;

beforeAll(async () => {
  db = await createTestDatabase();
  opened = openPool(db.urlOf(db.services[0] ?? ''));
  await opened.pool.query('CREATE TABLE things (id int PRIMARY KEY, name text CONSTRAINT thing_name UNIQUE)');
});

afterAll(async () => {
  await opened.pool.end();
  await db.drop();
});

const backendPid = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid', values: [] };

describe('values', () => {
  const select = async (expression: string) =>
    (
      await one<{ v: unknown }>(opened.pool, {
        name: expression,
        text: `SELECT ${expression} AS v`,
        values: [],
      })
    ).v;

  const id = '01890000-0000-7000-8000-000000000001';

  test.each([
    ["timestamptz '2026-11-21 03:00:00.123456+00'", '2026-11-21T03:00:00.123456Z'],
    ["timestamptz '2026-11-21 03:00:00+00'", '2026-11-21T03:00:00.000000Z'],
    ["timestamptz '2026-11-21 03:00:00.5+02'", '2026-11-21T01:00:00.500000Z'],
    ["timestamptz 'infinity'", 'infinity'],
    ["date '2026-02-28'", '2026-02-28'],
    ['9007199254740991::int8', 9007199254740991],
    ['9007199254740993::int8', '9007199254740993'],
    ['-3::int8', -3],
    ['12.50::numeric', 12.5],
    ['NULL::timestamptz', null],
    ["ARRAY['US', 'two words', '', 'a,b', 'NULL', NULL]", ['US', 'two words', '', 'a,b', 'NULL', null]],
    ["ARRAY['US', 'DE']", ['US', 'DE']],
    [`'{${id}}'::uuid[]`, [id]],
    ['ARRAY[1,NULL,3]::int8[]', [1, null, 3]],
    ["ARRAY['2026-02-28']::date[]", ['2026-02-28']],
    ['ARRAY[1.5]::numeric[]', [1.5]],
    ["ARRAY['2026-11-21 03:00:00.000001+00']::timestamptz[]", ['2026-11-21T03:00:00.000001Z']],
    [`'{"a":1}'::jsonb`, { a: 1 }],
  ])('%s', async (expression, expected) => {
    expect(await select(expression)).toEqual(expected);
  });

  test('a timestamp comes back as it was written, to the microsecond', async () => {
    const written = '2026-11-21T03:00:00.123457Z';
    const row = await one<{ v: string }>(opened.pool, {
      name: 'echo',
      text: 'SELECT $1::timestamptz AS v',
      values: [written],
    });
    expect(row.v).toBe(written);
  });

  test('rows as arrays', async () => {
    const rows = await many<[number, string]>(opened.pool, {
      name: 'pairs',
      text: "SELECT n::int8, 'x' || n FROM generate_series(1, 2) n",
      values: [],
      rowMode: 'array',
    });
    expect(rows).toEqual([
      [1, 'x1'],
      [2, 'x2'],
    ]);
  });
});

test('a statement is prepared under its name, unless `prepare` is false', async () => {
  const client = await opened.pool.connect();
  try {
    const prepared = { name: 'prepared', text: 'SELECT $1::int AS n', values: [1] };
    await one(client, prepared);
    expect(await one(client, { ...prepared, name: 'unprepared', prepare: false })).toEqual({ n: 1 });
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM pg_prepared_statements WHERE name IN ('prepared', 'unprepared')`,
    );
    expect(rows).toEqual([{ name: 'prepared' }]);
  } finally {
    client.release();
  }
});

describe('row counts', () => {
  const series = (rows: number) => ({
    name: 'series',
    text: 'SELECT n FROM generate_series(1, $1::int) n',
    values: [rows],
  });

  test('one', async () => {
    expect(await one(opened.pool, series(1))).toEqual({ n: 1 });
    await expect(one(opened.pool, series(0))).rejects.toThrow('query series returned 0 rows instead of one');
    await expect(one(opened.pool, series(2))).rejects.toThrow('returned 2 rows');
  });

  test('maybeOne', async () => {
    expect(await maybeOne(opened.pool, series(0))).toBeUndefined();
    expect(await maybeOne(opened.pool, series(1))).toEqual({ n: 1 });
    await expect(maybeOne(opened.pool, series(2))).rejects.toThrow('returned 2 rows instead of at most one');
  });

  test('many and execute', async () => {
    expect(await many(opened.pool, series(3))).toHaveLength(3);
    const insert = { name: 'insert', text: 'INSERT INTO things (id) VALUES (10), (11)', values: [] };
    expect(await execute(opened.pool, insert)).toBe(2);
    expect(await execute(opened.pool, { name: 'noop', text: 'SET work_mem = default', values: [] })).toBe(0);
  });
});

describe('refused statements', () => {
  const insertNamed = (id: number) => ({
    name: 'insert_named',
    text: 'INSERT INTO things (id, name) VALUES ($1, $2)',
    values: [id, 'same'],
  });

  test('a unique violation names its constraint and keeps the connection', async () => {
    const { pool } = openPool(db.urlOf(db.services[0] ?? ''), { max: 1 });
    const { pid } = await one<{ pid: number }>(pool, backendPid);
    await execute(pool, insertNamed(1));
    const error: unknown = await execute(pool, insertNamed(2)).catch((refusal: unknown) => refusal);
    expect(uniqueViolation(error)).toBe('thing_name');
    expect(error).toMatchObject({ query: 'insert_named' });
    expect(await one(pool, backendPid)).toEqual({ pid });
    await pool.end();
  });

  test('other errors are no unique violations', async () => {
    const error: unknown = await many(opened.pool, { name: 'bad', text: 'SELECT nope', values: [] }).catch(
      (refusal: unknown) => refusal,
    );
    expect(uniqueViolation(error)).toBeUndefined();
    expect(sqlState(error)).toBe('42703');
    expect(uniqueViolation(new Error('x'))).toBeUndefined();
  });

  test('a plan that a migration outdated fails once, not for ever', async () => {
    const { pool } = openPool(db.urlOf(db.services[0] ?? ''), { max: 1 });
    const all = { name: 'all_plans', text: 'SELECT * FROM plans', values: [] };
    await opened.pool.query('CREATE TABLE plans (id int)');
    await many(pool, all);
    await opened.pool.query('ALTER TABLE plans ADD COLUMN more text');
    await expect(many(pool, all)).rejects.toMatchObject({ code: '0A000' });
    expect(await many(pool, all)).toEqual([]);
    await pool.end();
  });
});

test('a pool for lookups plans a statement once, by the index of a table however small', async () => {
  const { pool } = openPool(db.urlOf(db.services[0] ?? ''), { max: 1, lookups: true });
  await opened.pool.query('CREATE TABLE few (id int PRIMARY KEY, name text)');
  await opened.pool.query('INSERT INTO few SELECT n, n FROM generate_series(1, 20) n; ANALYZE few');
  const text = 'SELECT name FROM unnest($1::int[]) AS asked (id) JOIN few USING (id)';
  for (let id = 1; id <= 8; id += 1) {
    expect(await many(pool, { name: 'few_names', text, values: [[id]] })).toEqual([{ name: String(id) }]);
  }
  const counted = 'SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = $1';
  const plans = await one(pool, { name: 'plans', text: counted, values: ['few_names'] });
  expect(plans).toEqual({ generic_plans: 8, custom_plans: 0 });
  const explained = await pool.query<{ 'QUERY PLAN': string }>("EXPLAIN EXECUTE few_names('{1}')");
  const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using few_pkey');
  expect(plan).toContain('Nested Loop');
  expect(plan).toContain('Index Cond');
  await pool.end();
});

test('queries are timed by name and outcome, the pool is counted', async () => {
  const { pool, metrics } = openPool(db.urlOf(db.services[0] ?? ''), { max: 3 });
  const second = openPool(db.urlOf(db.services[0] ?? ''), { applicationName: 'other', metrics });
  await many(pool, { name: 'fine', text: 'SELECT 1', values: [] });
  await many(pool, { name: 'fine', text: 'SELECT 1', values: [] });
  await many(pool, { name: 'wrong', text: 'SELECT nope', values: [] }).catch(() => undefined);
  await many(second.pool, { name: 'fine', text: 'SELECT 1', values: [] });
  const busy = await pool.connect();
  const text = await metrics.registry.metrics();
  busy.release();
  expect(text).toMatch(/bv_db_query_duration_seconds_count\{.*query="fine",outcome="ok".*\} 3/);
  expect(text).toMatch(/bv_db_query_duration_seconds_count\{.*query="wrong",outcome="error".*\} 1/);
  expect(text).toMatch(/bv_db_pool_connections\{.*pool="test",state="used".*\} 1/);
  expect(text).toMatch(/bv_db_pool_connections\{.*pool="other",state="idle".*\} 1/);
  expect(text).toMatch(/bv_db_pool_max_connections\{.*pool="test".*\} 3/);
  expect(text).toMatch(/bv_db_pool_waiting_requests\{.*pool="test".*\} 0/);
  await second.pool.end();
  expect(await metrics.registry.metrics()).not.toContain('pool="other"');
  await pool.end();
});
