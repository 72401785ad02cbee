import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { many, transaction } from '../src/index.ts';
import { pinnedSettings } from '../src/session-settings.ts';
import { asAdmin, createTestDatabase, openPool, type TestDatabase } from './database.ts';

/** A value of each pinned setting that would change what statements mean, or end them. */
const hostile: Record<string, string> = {
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  statement_timeout: '7s',
  lock_timeout: '20ms',
  transaction_timeout: '9s',
  idle_session_timeout: '8s',
  idle_in_transaction_session_timeout: '3s',
  TimeZone: 'Pacific/Chatham',
  DateStyle: 'German, YMD',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  row_security: 'off',
  gin_fuzzy_search_limit: '1',
  jit: 'on',
  search_path: 'public',
  application_name: 'other',
};

let db: TestDatabase;
let url: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const [service = ''] = db.services;
  url = db.urlOf(service);
  await asAdmin(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      'SELECT name FROM pg_settings WHERE name = ANY ($1)',
      [Object.keys(hostile)],
    );
    for (const [index, { name }] of rows.entries()) {
      const value = pg.escapeLiteral(hostile[name] ?? '');
      const role = `ROLE bv_${service}`;
      // A setting of the role in the database wins over one of the role, that over one of the database.
      const owner = [`DATABASE ${db.database}`, role, `${role} IN DATABASE ${db.database}`][index % 3];
      // Provisioning sets these on the role.
      const isOfRole = ['search_path', 'jit', 'TimeZone'].includes(name);
      await admin.query(`ALTER ${isOfRole ? role : String(owner)} SET ${name} = ${value}`);
    }
  });
});
afterAll(() => db.drop());

test('a session has the pinned settings, whatever the database and the role set', async () => {
  expect(Object.keys(hostile).toSorted()).toEqual(
    [...Object.keys(pinnedSettings), 'application_name', 'search_path', 'statement_timeout'].toSorted(),
  );
  const settings = {
    name: 'settings',
    text: `SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name`,
    values: [Object.keys(hostile)],
  };
  const bare = new pg.Client({ connectionString: url });
  await bare.connect();
  const inherited = (await bare.query<{ name: string; setting: string }>(settings)).rows;
  await bare.end();
  const { pool } = openPool(url, { statementTimeoutMs: 1234 });
  const expected: Record<string, string | undefined> = {
    ...pinnedSettings,
    search_path: db.services[0],
    application_name: 'test',
    statement_timeout: '1234',
  };
  expect(await many(pool, settings)).toEqual(
    inherited.map(({ name }) => ({ name, setting: expected[name] })),
  );
  for (const { name, setting } of inherited) expect([name, setting]).not.toEqual([name, expected[name]]);
  await pool.end();
});

test('transactions that lock first and then read see what was committed', async () => {
  const { pool } = openPool(url);
  await pool.query('CREATE TABLE counters (n int); INSERT INTO counters VALUES (0)');
  const run = (text: string) => ({ name: text, text, values: [] });
  const increment = () =>
    transaction(pool, async (tx) => {
      await many(tx, run('SELECT pg_advisory_xact_lock(1), pg_sleep(0.03)'));
      await many(tx, run('UPDATE counters SET n = n + 1'));
    });
  await Promise.all(Array.from({ length: 9 }, increment));
  expect((await pool.query('SELECT n FROM counters')).rows).toEqual([{ n: 9 }]);
  await pool.end();
});
