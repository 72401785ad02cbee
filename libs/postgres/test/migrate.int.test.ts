import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@bv/telemetry';
import pg from 'pg';
import { migrate } from '../src/index.ts';
import { adminUrl, asAdmin, createTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';

let db: TestDatabase;
let service: string;
let url: string;
let dir: string;

beforeEach(async () => {
  db = await createTestDatabase();
  service = db.services[0] ?? '';
  url = db.urlOf(service);
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
});

afterEach(async () => {
  await db.drop();
  await rm(dir, { recursive: true });
});

const file = (name: string, sql: string) => writeFile(join(dir, name), sql);
const tables = () =>
  asAdmin(async (admin) => {
    const { rows } = await admin.query<{ at: string }>(
      `SELECT schemaname || '.' || tablename AS at FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    return rows.map(({ at }) => at.replace(service, 'own'));
  }, db.database);

/** Waits until a session of the database runs a statement like this, or is idle after it. */
async function until(statement: string, state = 'active'): Promise<void> {
  const running = () =>
    asAdmin((admin) =>
      admin.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = $1 AND state = $3 AND query LIKE $2 AND pid <> pg_backend_pid()`,
        [db.database, statement, state],
      ),
    );
  while (!(await running()).rowCount) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('applies what is missing, in order, once; records it in the schema of the service', async () => {
  await file('0001_first.sql', 'CREATE TABLE first (id int);\nINSERT INTO first VALUES (1);');
  await file('0002_second.sql', 'CREATE TABLE second AS SELECT id FROM first -- no semicolon\n');
  expect(await migrate({ connectionString: url, dir })).toEqual(['0001_first', '0002_second']);
  expect(await migrate({ connectionString: url, dir })).toEqual([]);
  await file('0010_third.sql', "-- it's {not} a template: $1 :x\nCREATE TABLE third (id int)");
  expect(await migrate({ connectionString: url, dir })).toEqual(['0010_third']);
  expect(await tables()).toEqual(['own.first', 'own.schema_migrations', 'own.second', 'own.third']);
});

test('many that start at once: one applies, the others wait and find nothing to do', async () => {
  await file('0001_slow.sql', 'SELECT pg_sleep(0.3); CREATE TABLE slow (id int);');
  await file('0002_more.sql', 'CREATE TABLE more (id int);');
  const answers = await Promise.all(Array.from({ length: 6 }, () => migrate({ connectionString: url, dir })));
  expect(answers.filter((applied) => applied.length === 2)).toHaveLength(1);
  expect(answers.filter((applied) => applied.length === 0)).toHaveLength(5);
});

test('a failing file leaves nothing of itself and everything before it', async () => {
  await file('0001_good.sql', 'CREATE TABLE good (id int);');
  await file('0002_bad.sql', 'CREATE TABLE half (id int); SELECT nope;');
  await file('0003_never.sql', 'CREATE TABLE never (id int);');
  await expect(migrate({ connectionString: url, dir })).rejects.toMatchObject({ code: '42703' });
  expect(await tables()).toEqual(['own.good', 'own.schema_migrations']);
  await file('0002_bad.sql', 'CREATE TABLE half (id int);');
  expect(await migrate({ connectionString: url, dir })).toEqual(['0002_bad', '0003_never']);
});

test('a migrator that dies in the middle hands over to the one that waits', async () => {
  await file('0001_sleep.sql', 'CREATE TABLE t (id int); SELECT pg_sleep(10);');
  const first = migrate({ connectionString: url, dir }).catch((error: unknown) => error);
  await until('%pg_sleep(10)%');
  const second = migrate({ connectionString: url, dir });
  await until('%pg_try_advisory_lock(%', 'idle');
  await asAdmin((admin) =>
    admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND query LIKE '%pg_sleep(10)%' AND pid <> pg_backend_pid()`,
      [db.database],
    ),
  );
  expect(await first).toBeInstanceOf(Error);
  expect(await second).toEqual(['0001_sleep']);
});

test('a file without transaction runs statement by statement, next to writers and to a migrator that waits', async () => {
  await file('0001_table.sql', 'CREATE TABLE things (id int, at int);');
  await migrate({ connectionString: url, dir });
  const concurrently = (columns: string) =>
    file(
      '0002_index.sql',
      `-- without transaction
-- An index that a failure left.
DROP INDEX CONCURRENTLY IF EXISTS things_id;
CREATE INDEX CONCURRENTLY things_id ON things (${columns});
`,
    );
  await concurrently('nope');
  await expect(migrate({ connectionString: url, dir })).rejects.toMatchObject({ code: '42703' });
  await concurrently('id');
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query('BEGIN; INSERT INTO things VALUES (1, 1)');
  const migrators = [migrate({ connectionString: url, dir }), migrate({ connectionString: url, dir })];
  await until('%CREATE INDEX CONCURRENTLY%');
  await until('%pg_try_advisory_lock(%', 'idle');
  await writer.query('INSERT INTO things VALUES (2, 2); COMMIT');
  expect((await Promise.all(migrators)).flat()).toEqual(['0002_index']);
  const valid = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'things_id'::regclass";
  expect((await writer.query(valid)).rows).toEqual([{ valid: true }]);
  await writer.end();
});

test('an older image beside a newer schema has nothing to do', async () => {
  await file('0001_a.sql', 'CREATE TABLE a (id int);');
  await file('0002_b.sql', 'CREATE TABLE b (id int);');
  await migrate({ connectionString: url, dir });
  await rm(join(dir, '0002_b.sql'));
  expect(await migrate({ connectionString: url, dir })).toEqual([]);
});

test('what it does is logged, the password is not', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  await file('0001_logged.sql', 'CREATE TABLE logged (id int);');
  await migrate({ connectionString: url, dir, log });
  expect(lines.join('')).toContain('0001_logged');
  expect(lines.join('')).not.toContain('not-a-secret');
});

describe('refused before anything runs', () => {
  test('a file in front of an applied one', async () => {
    await file('0002_later.sql', 'CREATE TABLE later (id int);');
    await migrate({ connectionString: url, dir });
    await file('0001_earlier.sql', 'CREATE TABLE earlier (id int);');
    await expect(migrate({ connectionString: url, dir })).rejects.toThrow('0001_earlier');
    expect(await tables()).toEqual(['own.later', 'own.schema_migrations']);
  });

  test('a file with another kind of name', async () => {
    await file('1_short.sql', 'SELECT 1;');
    await expect(migrate({ connectionString: url, dir })).rejects.toThrow('not named NNNN_name.sql');
  });

  test('two files of one number', async () => {
    await file('0001_a.sql', 'SELECT 1;');
    await file('0001_b.sql', 'SELECT 1;');
    await expect(migrate({ connectionString: url, dir })).rejects.toThrow('same number');
  });

  test('a role without a schema of its own', async () => {
    await file('0001_a.sql', 'CREATE TABLE a (id int);');
    const connectionString = adminUrl(db.database);
    await expect(migrate({ connectionString, dir })).rejects.toThrow('no schema to migrate');
  });
});
