import { join } from 'node:path';
import { createLogger } from '@bv/telemetry';
import { databaseUrls, readConfig, serviceNames } from './config.ts';
import { prepareDatabases } from './prepare-databases.ts';
import { waitForSchema } from './wait-for-schema.ts';

// Process 1 of a container has no default signal handlers. The server rolls back an interrupted migration.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const log = createLogger({ service: 'migrate', level: 'info' });

async function run(): Promise<void> {
  const config = readConfig();
  log.level = config.LOG_LEVEL;
  const migrationsDir = (service: string): string => join(config.SERVICES_DIR, service, 'migrations');
  if ('DATABASE_URL' in config) {
    const { WAIT_FOR: schema, DATABASE_URL: databaseUrl, WAIT_MS: waitMs } = config;
    return waitForSchema({ schema, databaseUrl, migrationsDir: migrationsDir(schema), waitMs, log });
  }
  const urls = databaseUrls(config);
  return prepareDatabases({
    services: serviceNames.map((name) => ({
      name,
      databaseUrl: urls[name],
      migrationsDir: migrationsDir(name),
      ...(name === 'results' && { settings: { 'results.partitions': String(config.RESULTS_PARTITIONS) } }),
    })),
    adminUrl: config.ADMIN_DATABASE_URL,
    waitMs: config.WAIT_MS,
    log,
  });
}

try {
  await run();
} catch (error) {
  log.fatal({ err: error }, 'the databases could not be prepared');
  process.exitCode = 1;
}
