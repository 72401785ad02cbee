import { join } from 'node:path';
import { createLogger } from '@bv/telemetry';
import { databaseUrls, readConfig, serviceNames } from './config.ts';
import { prepareDatabases } from './prepare-databases.ts';

const config = readConfig();
const urls = databaseUrls(config);
const log = createLogger({ service: 'migrate', level: config.LOG_LEVEL });

// As the first process of a container nothing else ends it; what was begun is rolled back by the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  await prepareDatabases({
    services: serviceNames.map((name) => ({
      name,
      databaseUrl: urls[name],
      migrationsDir: join(config.SERVICES_DIR, name, 'migrations'),
    })),
    adminUrl: config.ADMIN_DATABASE_URL,
    waitMs: config.WAIT_MS,
    log,
  });
} catch (error) {
  log.fatal({ err: error }, 'the databases could not be prepared');
  process.exitCode = 1;
}
