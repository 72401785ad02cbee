import pg from 'pg';
import { exportEnvironment, configuredEnvironment, type TestEnvironment } from '../environment.ts';
import { startChild } from './children.ts';

/** Starts the test data stores for a benchmark, unless the environment has their URLs. */
export async function startDataStores(): Promise<void> {
  if (configuredEnvironment().postgresUrl !== undefined) return;
  const script = new URL('../jest/data-stores.ts', import.meta.url);
  exportEnvironment(JSON.parse(await startChild(script)) as TestEnvironment);
}

/** Makes the database wait for its disk as in production. Test servers run without fsync. */
export async function waitForDisk(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await admin.query(`alter system set ${name} = on`);
  }
  await admin.query('select pg_reload_conf()');
  await admin.end();
}
