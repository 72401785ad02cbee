import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, provision, roleOf } from '@bv/postgres';
import { rootDir } from './config.ts';
import { StackFailure, toErrorMessage } from './failure.ts';
import type { Reporter } from './reporter.ts';
import { serviceNames, type Secrets, type ServiceName } from './secrets.ts';

/** Has a schema for each service. */
export const productDatabase = 'brand_visibility';

/** URL of the database for the service's role, which has access to the service's schema only. */
export function serviceDatabaseUrl(postgresUrl: string, service: ServiceName, secrets: Secrets): string {
  const url = new URL(postgresUrl);
  url.username = roleOf(service);
  url.password = secrets.servicePasswords[service];
  url.pathname = `/${productDatabase}`;
  return url.href;
}

/** Creates the roles and schemas and applies new migrations. Safe to repeat at every start. */
export async function prepareDatabase(
  postgresUrl: string,
  secrets: Secrets,
  report: Reporter,
): Promise<void> {
  const services = serviceNames.map((name) => ({ name, password: secrets.servicePasswords[name] }));
  try {
    await provision({ adminUrl: postgresUrl, database: productDatabase, services });
  } catch (error) {
    throw new StackFailure(
      `the database, its roles and schemas could not be created: ${toErrorMessage(error)}`,
    );
  }
  for (const service of serviceNames) {
    const dir = join(rootDir, 'services', service, 'migrations');
    if (!existsSync(dir)) continue;
    const applied = await migrateService(serviceDatabaseUrl(postgresUrl, service, secrets), service, dir);
    report(
      `database: ${service} ${applied.length === 0 ? 'is up to date' : `migrated (${applied.join(', ')})`}`,
    );
  }
}

async function migrateService(
  connectionString: string,
  service: ServiceName,
  dir: string,
): Promise<string[]> {
  try {
    return await migrate({ connectionString, dir });
  } catch (error) {
    throw new StackFailure(`the migrations of ${service} failed: ${toErrorMessage(error)}`);
  }
}
