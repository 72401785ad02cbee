import { createHash, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { provision, roleOf } from '../src/index.ts';
import {
  adminUrl,
  asAdmin,
  createTestDatabase,
  dropAll,
  password,
  serviceUrl,
  uniqueName,
} from './database.ts';
import type { TestDatabase } from './database.ts';

const deriveKey = promisify(pbkdf2);

let db: TestDatabase;
let a: string;
let b: string;

beforeAll(async () => {
  db = await createTestDatabase(2);
  [a = '', b = ''] = db.services;
  await as(b, 'CREATE TABLE secrets (id int); INSERT INTO secrets VALUES (1); CREATE SEQUENCE counter');
  await as(
    b,
    "CREATE FUNCTION tell() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE TYPE mood AS ENUM ('x')",
  );
  await asAdmin((admin) => admin.query('CREATE TABLE public.shared (id int)'), db.database);
});

afterAll(() => db.drop());

async function as(service: string, sql: string, database = db.database): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: serviceUrl(database, service) });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function storedPassword(service: string): Promise<string> {
  return asAdmin(async (admin) => {
    const { rows } = await admin.query<{ rolpassword: string }>(
      'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
      [roleOf(service)],
    );
    return rows[0]?.rolpassword ?? '';
  });
}

/** RFC 5802: the stored key is the hash of the client key that the password and the salt give. */
async function accepts(stored: string, secret: string): Promise<boolean> {
  const [, iterations = '', salt = '', storedKey = ''] =
    /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(stored) ?? [];
  const salted = await deriveKey(secret, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return createHash('sha256').update(clientKey).digest('base64') === storedKey;
}

describe('a role and its own schema', () => {
  test('owns it: unqualified names are its own', async () => {
    await as(a, 'CREATE TABLE mine (id int); INSERT INTO mine VALUES (1); DROP TABLE mine');
    const { rows } = await as(a, "SELECT current_schema() AS schema, current_setting('search_path') AS path");
    expect(rows).toEqual([{ schema: a, path: a }]);
  });

  test('has no JIT and the zone UTC', async () => {
    const { rows } = await as(a, "SELECT current_setting('jit') AS jit, current_setting('TimeZone') AS tz");
    expect(rows).toEqual([{ jit: 'off', tz: 'UTC' }]);
  });
});

describe('a role and everything else', () => {
  test.each([
    ['reads', 'SELECT * FROM "B".secrets'],
    ['counts', 'SELECT count(*) FROM "B".secrets'],
    ['inserts', 'INSERT INTO "B".secrets VALUES (2)'],
    ['updates', 'UPDATE "B".secrets SET id = 2'],
    ['deletes', 'DELETE FROM "B".secrets'],
    ['truncates', 'TRUNCATE "B".secrets'],
    ['creates', 'CREATE TABLE "B".planted (id int)'],
    ['alters', 'ALTER TABLE "B".secrets ADD COLUMN x int'],
    ['drops', 'DROP TABLE "B".secrets'],
    ['references', 'CREATE TABLE linked (id int REFERENCES "B".secrets)'],
    ['calls', 'SELECT "B".tell()'],
    ['uses a type', 'CREATE TABLE typed (m "B".mood)'],
    ['takes a number', `SELECT nextval('"B".counter')`],
    ['grants itself', 'GRANT USAGE ON SCHEMA "B" TO CURRENT_USER'],
    ['becomes the other role', 'SET ROLE "bv_B"'],
    ['reads public', 'SELECT * FROM public.shared'],
    ['creates in public', 'CREATE TABLE public.planted (id int)'],
    ['creates a schema', 'CREATE SCHEMA planted'],
    ['creates a temporary table', 'CREATE TEMPORARY TABLE planted (id int)'],
    ['creates a role', 'CREATE ROLE planted'],
    ['creates a database', 'CREATE DATABASE planted'],
    ['runs a program', "COPY (SELECT 1) TO PROGRAM 'true'"],
    ['reads a file', "SELECT pg_read_file('PG_VERSION')"],
  ])('%s: refused', async (_, sql) => {
    // insufficient_privilege
    await expect(as(a, sql.replaceAll('B"', `${b}"`))).rejects.toMatchObject({ code: '42501' });
  });

  test('the other schema is not reached by search_path either', async () => {
    await expect(as(a, `SET search_path = "${b}"; SELECT * FROM secrets`)).rejects.toMatchObject({
      code: '42P01',
    });
  });

  test('a role that was not provisioned here cannot connect', async () => {
    const other = await createTestDatabase();
    try {
      await expect(as(other.services[0] ?? '', 'SELECT 1', db.database)).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await other.drop();
    }
  });
});

describe('again', () => {
  const services = () => [a, b].map((name) => ({ name, password }));

  test('repeating changes nothing, also many at once', async () => {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        provision({ adminUrl: adminUrl(), database: db.database, services: services() }),
      ),
    );
    expect((await as(b, 'SELECT * FROM secrets')).rows).toEqual([{ id: 1 }]);
  });

  test('a first time many at once makes one', async () => {
    const database = uniqueName('pglib');
    const name = uniqueName('svc');
    const all = { adminUrl: adminUrl(), database, services: [{ name, password }] };
    await Promise.all(Array.from({ length: 5 }, () => provision(all)));
    expect((await as(name, 'SELECT 1 AS one', database)).rows).toEqual([{ one: 1 }]);
    await dropAll([database], [name]);
  });

  test('a new password replaces the old one and is stored hashed', async () => {
    const renewed = "n'e\\w";
    await provision({
      adminUrl: adminUrl(),
      database: db.database,
      services: [{ name: a, password: renewed }],
    });
    // A test server may trust every login, so what is stored is checked as a server would.
    const stored = await storedPassword(a);
    expect(stored).not.toContain(renewed);
    expect(await accepts(stored, renewed)).toBe(true);
    expect(await accepts(stored, password)).toBe(false);
    const client = new pg.Client({ connectionString: serviceUrl(db.database, a, renewed) });
    await client.connect();
    await client.end();
    await provision({ adminUrl: adminUrl(), database: db.database, services: services() });
  });

  test('powers the role was given by hand are taken away', async () => {
    await asAdmin((admin) =>
      admin.query(`ALTER ROLE "${roleOf(a)}" SUPERUSER CREATEROLE CREATEDB BYPASSRLS`),
    );
    await provision({ adminUrl: adminUrl(), database: db.database, services: services() });
    await expect(as(a, 'SELECT * FROM public.shared')).rejects.toMatchObject({ code: '42501' });
  });

  test('a database cloned from it as a template keeps schema, owner and search path', async () => {
    const clone = uniqueName('pglib');
    await asAdmin((admin) => admin.query(`CREATE DATABASE "${clone}" TEMPLATE "${db.database}"`));
    expect((await as(b, 'SELECT * FROM secrets', clone)).rows).toEqual([{ id: 1 }]);
    await expect(as(a, `SELECT * FROM "${b}".secrets`, clone)).rejects.toMatchObject({ code: '42501' });
    await dropAll([clone], []);
  });
});

test('an administrator who is no superuser can provision (managed Postgres)', async () => {
  const admin = uniqueName('dba');
  const database = uniqueName('pglib');
  const name = uniqueName('svc');
  await asAdmin((client) =>
    client.query(`CREATE ROLE "${admin}" LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`),
  );
  const url = new URL(adminUrl());
  url.username = admin;
  url.password = password;
  const all = { adminUrl: url.href, database, services: [{ name, password }] };
  await provision(all);
  await provision(all);
  await as(name, 'CREATE TABLE t (id int)', database);
  await expect(as(name, 'CREATE TABLE public.t (id int)', database)).rejects.toMatchObject({ code: '42501' });
  await dropAll([database], [name]);
  await asAdmin((client) => client.query(`DROP ROLE "${admin}"`));
});
