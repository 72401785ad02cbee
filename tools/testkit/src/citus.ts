import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DataStoreSource } from '@bv/local-stack';
import { splitStatements } from '@bv/postgres';
import pg from 'pg';
import { databaseUrl, serviceUrl } from './database-urls.ts';
import { startServer } from './servers.ts';

const placement = fileURLToPath(new URL('../../../services/results/citus.sql', import.meta.url));

/** Few, because a clone copies a file for each shard of each table and index. */
export const citusSettings = {
  shared_preload_libraries: 'citus',
  'citus.shard_count': '4',
  'citus.node_conninfo': 'sslmode=prefer',
  // Each database has a process of its own.
  max_worker_processes: '100',
};

/** Starts the workers of a Citus cluster. Its coordinator is the PostgreSQL of the test run. */
export async function startWorkers(source: DataStoreSource, runDir: string): Promise<string[]> {
  const start = () => startServer(source, 'postgres', runDir, citusSettings);
  return (await Promise.all([start(), start()])).map(({ url }) => url);
}

/** Makes the same database of several servers a cluster. The first server is the coordinator. */
export async function joinCluster(urls: readonly string[], database: string): Promise<void> {
  const hosts = urls.map((url) => new URL(url));
  for (const url of urls) await run(databaseUrl(url, database), 'create extension if not exists citus');
  const [coordinator, ...workers] = hosts;
  if (coordinator === undefined) return;
  const admin = databaseUrl(coordinator.href, database);
  await run(admin, `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`);
  for (const { hostname, port } of workers) await run(admin, `select citus_add_node('${hostname}', ${port})`);
}

/** Distributes the migrated tables of results as an operator does. Nothing connects to the database afterwards. */
export async function distributeResults(urls: readonly string[], database: string): Promise<void> {
  const [coordinator = ''] = urls;
  await run(serviceUrl(databaseUrl(coordinator, database), 'results'), await readFile(placement, 'utf8'));
  for (const url of urls) {
    await run(url, `alter database ${database} with allow_connections false`);
    await run(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of splitStatements(sql)) await client.query(statement);
  } finally {
    await client.end();
  }
}
