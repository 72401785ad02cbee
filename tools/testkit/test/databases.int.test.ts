import { afterAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@bv/testkit';
import pg from 'pg';

const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

async function open(name: string): Promise<TestDatabase> {
  const database = await createDatabase(name);
  databases.push(database);
  return database;
}

async function query(url: string, text: string): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Record<string, unknown>>(text);
  } finally {
    await client.end();
  }
}

describe('a database of a test file', () => {
  it('belongs to the role and the schema of its name', async () => {
    const { url } = await open('example');
    const { rows } = await query(url, 'SELECT current_user AS user, current_schema() AS schema');
    expect(rows).toEqual([{ user: 'bv_example', schema: 'example' }]);
  });

  it('is a clone of the migrated template if the name is a service', async () => {
    const { url } = await open('catalog');
    const { rows } = await query(
      url,
      'SELECT current_user AS user, count(*)::int AS rows FROM schema_migrations',
    );
    expect(rows).toEqual([{ user: 'bv_catalog', rows: expect.any(Number) }]);
    expect(rows[0]?.['rows']).toBeGreaterThan(0);
    await expect(query(url, 'SELECT FROM outbox')).resolves.toMatchObject({ rowCount: 0 });
    const stranger = new URL(url);
    stranger.username = 'bv_example';
    await open('example');
    await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow('permission denied');
  });

  it('is not visible to other databases or roles', async () => {
    const [one, other] = await Promise.all([open('example'), open('example')]);
    await query(one.url, 'CREATE TABLE things (id int)');
    await expect(query(other.url, 'SELECT FROM things')).rejects.toThrow('does not exist');
    const stranger = await open('stranger');
    const url = new URL(one.url);
    url.username = 'bv_stranger';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('permission denied');
    expect((await query(stranger.url, 'SELECT 1')).rowCount).toBe(1);
  });

  it('can be dropped while clients are connected', async () => {
    const database = await createDatabase('example');
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
