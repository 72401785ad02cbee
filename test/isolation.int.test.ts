import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, provision } from '@bv/postgres';
import { startPostgres, type TestServer } from '@bv/testkit';
import pg from 'pg';

const services = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];
const password = randomBytes(12).toString('hex');
const pools = new Map<string, pg.Pool>();
let postgres: TestServer;

/** All five schemas in one database, as in a small installation. */
beforeAll(async () => {
  postgres = await startPostgres();
  await provision({
    adminUrl: postgres.url,
    database: 'brandvisibility',
    services: services.map((name) => ({ name, password })),
  });
  for (const service of services) {
    const url = new URL(postgres.url);
    Object.assign(url, { username: `bv_${service}`, password, pathname: '/brandvisibility' });
    const dir = join(import.meta.dirname, '..', 'services', service, 'migrations');
    await migrate({ connectionString: url.href, dir });
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    // A connection may still be closing when the server is stopped at the end.
    pool.on('error', () => undefined);
    pools.set(service, pool);
  }
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await postgres.stop();
});

const runStatement = async (service: string, statement: string): Promise<string> => {
  try {
    await pools.get(service)?.query(statement);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('every folder of services has its own schema', () => {
  expect(new Set(readdirSync(join(import.meta.dirname, '..', 'services')))).toEqual(new Set(services));
});

describe.each(services)('the role of %s', (service) => {
  test('works in its own schema', async () => {
    expect(await runStatement(service, 'select count(*) from outbox')).toBe('accepted');
  });

  test.each(services.filter((other) => other !== service))(
    'is refused in the schema of %s',
    async (other) => {
      for (const statement of [
        `select * from ${other}.outbox`,
        `insert into ${other}.inbox (consumer, event_id) values ('x', gen_random_uuid())`,
        `delete from ${other}.dead_letter_events`,
        `create table ${other}.stolen (id int)`,
        `drop table ${other}.outbox`,
        `alter schema ${other} rename to stolen`,
        `set role bv_${other}`,
      ]) {
        expect([statement, await runStatement(service, statement)]).toEqual([statement, '42501']);
      }
    },
  );

  test('can create nothing in public and no role, database or schema', async () => {
    for (const statement of [
      'create table public.stray (id int)',
      'create schema stray',
      'create role stray',
      'create database stray',
    ]) {
      expect([statement, await runStatement(service, statement)]).toEqual([statement, '42501']);
    }
  });
});
