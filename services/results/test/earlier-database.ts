import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@bv/postgres';
import { createDatabase, type TestDatabase } from '@bv/testkit';
import pg from 'pg';

const dir = fileURLToPath(new URL('../migrations', import.meta.url));
const firstOfPartitions = '0030_own_brand_of_unit_brands.sql';

/** A database that was in use before there were partitions: a brand without units has a change token. */
export async function createEarlierDatabase(): Promise<TestDatabase> {
  const database = await createDatabase('results_earlier');
  const earlierDir = await mkdtemp(join(tmpdir(), 'bv-migrations-'));
  for (const name of await readdir(dir)) {
    if (name < firstOfPartitions) await copyFile(join(dir, name), join(earlierDir, name));
  }
  await migrate({ connectionString: database.url, dir: earlierDir });
  await rm(earlierDir, { recursive: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('insert into brand_tokens values (gen_random_uuid(), gen_random_uuid(), now(), 1)');
  await client.end();
  await migrate({ connectionString: database.url, dir, settings: { 'results.partitions': '4' } });
  return database;
}
