import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkWritable, execute, isOutage, isUnavailable, many, one, transaction } from '../src/index.ts';
import type { Pool, Queryable } from '../src/index.ts';
import { asAdmin, createTestDatabase, eventually, openPool } from './database.ts';
import type { LoggedPool, TestDatabase } from './database.ts';

/** A database that answers but cannot be used now. */

let db: TestDatabase;
let role: string;
const pools: Pool[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  role = `bv_${db.services[0]}`;
  await asAdmin((admin) => admin.query(`CREATE TABLE "${db.services[0]}".notes (id int)`), db.database);
  await asAdmin((admin) => admin.query(`GRANT ALL ON "${db.services[0]}".notes TO "${role}"`), db.database);
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});
afterAll(() => db.drop());

function open(): LoggedPool {
  const opened = openPool(db.urlOf(db.services[0] ?? ''), { max: 3 });
  pools.push(opened.pool);
  return opened;
}

const admin = (...statements: string[]): Promise<void> =>
  asAdmin(async (client) => {
    for (const statement of statements) await client.query(statement);
  });
const endSessions = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '`;
const insert = (db: Queryable): Promise<number> =>
  execute(db, { name: 'insert-note', text: 'insert into notes values (1)', values: [] });
const pidOf = async (pool: Pool): Promise<number> =>
  (await one<{ pid: number }>(pool, { name: 'pid', text: 'select pg_backend_pid() as pid', values: [] })).pid;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  [
    'role that is read-only',
    () => `ALTER ROLE "${role}" SET default_transaction_read_only = on`,
    () => `ALTER ROLE "${role}" RESET default_transaction_read_only`,
  ],
  [
    'database that is read-only',
    () => `ALTER DATABASE "${db.database}" SET default_transaction_read_only = on`,
    () => `ALTER DATABASE "${db.database}" RESET default_transaction_read_only`,
  ],
  [
    'database that takes no connections (55000)',
    () => `ALTER DATABASE "${db.database}" ALLOW_CONNECTIONS false`,
    () => `ALTER DATABASE "${db.database}" ALLOW_CONNECTIONS true`,
  ],
  [
    'role that may not log in (28000)',
    () => `ALTER ROLE "${role}" NOLOGIN`,
    () => `ALTER ROLE "${role}" LOGIN`,
  ],
  [
    'role that may not connect (42501)',
    () => `REVOKE CONNECT ON DATABASE "${db.database}" FROM "${role}"`,
    () => `GRANT CONNECT ON DATABASE "${db.database}" TO "${role}"`,
  ],
  [
    'database that is missing (3D000)',
    () => `ALTER DATABASE "${db.database}" RENAME TO "${db.database}_away"`,
    () => `ALTER DATABASE "${db.database}_away" RENAME TO "${db.database}"`,
  ],
  [
    'role without connections left (53300)',
    () => `ALTER ROLE "${role}" CONNECTION LIMIT 0`,
    () => `ALTER ROLE "${role}" CONNECTION LIMIT -1`,
  ],
])('unavailable, and the first request works once it can be used again: %s', async (_, begin, end) => {
  const { pool } = open();
  await insert(pool);
  await admin(`${endSessions}${role}'`, begin());
  try {
    await eventually(() => expect(pool.totalCount).toBe(0));
    for (const use of [insert, pidOf, checkWritable]) {
      const error = await failureOf(use(pool));
      expect(isUnavailable(error)).toBe(true);
      expect(isOutage(error)).toBe(true);
    }
    expect(pool.totalCount).toBe(0);
  } finally {
    await admin(end());
  }
  expect(await insert(pool)).toBe(1);
  await checkWritable(pool);
});

test('a demoted server: a write is refused, and all connections are replaced', async () => {
  const { pool, lines } = open();
  const before = await Promise.all([pidOf(pool), pidOf(pool), pidOf(pool)]);
  const error = await failureOf(
    transaction(pool, async (tx) => {
      // The server reports a change of the session's default by itself, but not this.
      await tx.query('set transaction read only');
      await insert(tx);
    }),
  );
  expect(error).toMatchObject({ code: '25006' });
  expect(isOutage(error)).toBe(true);
  const after = await Promise.all([pidOf(pool), pidOf(pool), pidOf(pool)]);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  expect(await insert(pool)).toBe(1);
  expect(lines.filter((line) => line.includes('open connections are replaced'))).toHaveLength(1);
});

test('a demoted server whose sessions report it one after the other: connections opened since are kept', async () => {
  const { pool, lines } = open();
  const old = await Promise.all([pool.connect(), pool.connect()]);
  for (const client of old) client.release();
  const begun = Promise.withResolvers<void>();
  const demoted = async (tx: Queryable): Promise<void> => {
    await execute(tx, { name: 'ro', text: 'set transaction read only', values: [] });
    await insert(tx);
  };
  const late = failureOf(
    transaction(pool, async (tx) => {
      await begun.promise;
      await demoted(tx);
    }),
  );
  await failureOf(transaction(pool, demoted));
  const pid = await pidOf(pool);
  begun.resolve();
  expect(await late).toMatchObject({ code: '25006' });
  expect(await pidOf(pool)).toBe(pid);
  expect(lines.filter((line) => line.includes('open connections are replaced'))).toHaveLength(1);
});

test('the check replaces connections of a demoted server, and passes by a new one', async () => {
  const { pool } = open();
  const before = await pidOf(pool);
  const client = await pool.connect();
  await client.query('begin read only');
  client.release();
  await checkWritable(pool);
  expect(await insert(pool)).toBe(1);
  expect(await pidOf(pool)).not.toBe(before);
});

test('a connection whose server reports that it became read-only is not used again', async () => {
  const { pool } = open();
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await client.query('set default_transaction_read_only = on');
  client.release();
  expect(await pidOf(pool)).not.toBe(rows[0]?.pid);
});

test('an error of a statement keeps the connection: no permission (42501), nothing prepared for it (55000)', async () => {
  const { pool } = open();
  const pid = await pidOf(pool);
  for (const text of ['select * from pg_authid', 'select lastval()']) {
    const error = await failureOf(many(pool, { name: 'fault', text, values: [], prepare: false }));
    expect(error).toHaveProperty('code', expect.stringMatching(/^(?:42501|55000)$/));
    expect(isOutage(error)).toBe(false);
  }
  expect(await pidOf(pool)).toBe(pid);
});

test('a write in a transaction that asked to be read-only is a fault of the program', async () => {
  const { pool } = open();
  const pid = await pidOf(pool);
  const work = transaction(
    pool,
    (tx) => execute(tx, { name: 'ro', text: 'insert into notes values (2)', values: [] }),
    {
      readOnly: true,
    },
  );
  expect(isUnavailable(await failureOf(work))).toBe(false);
  expect(await pidOf(pool)).toBe(pid);
});
