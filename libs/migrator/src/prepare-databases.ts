import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage, isUnavailable, migrate, provision, roleOf, sqlState } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';

type MigratedService = {
  name: string;
  databaseUrl: string;
  migrationsDir: string;
  /** Settings that its migrations read. */
  settings?: Readonly<Record<string, string>>;
};

type Preparation = {
  services: readonly MigratedService[];
  /** If set, databases, roles and schemas are created first. */
  adminUrl?: string | undefined;
  waitMs: number;
  log: Logger;
};

/** Creates and migrates the databases of all services. Safe to repeat and to run concurrently. */
export async function prepareDatabases({ services, adminUrl, waitMs, log }: Preparation): Promise<void> {
  const deadline = Date.now() + waitMs;
  const wait = { deadline, log };
  if (adminUrl) {
    for (const [database, logins] of loginsByDatabase(services)) {
      await retryUntilAvailable(() => provision({ adminUrl, database, services: logins }), wait);
      log.info({ database }, 'roles and schemas are ready');
    }
  }
  for (const { name, databaseUrl, migrationsDir, settings = {} } of services) {
    const applied = await retryUntilAvailable(
      () => migrate({ connectionString: databaseUrl, dir: migrationsDir, settings, log }),
      wait,
    );
    log.info({ schema: name, applied }, applied.length === 0 ? 'schema is up to date' : 'schema migrated');
  }
}

type Login = { name: string; password: string };

function loginsByDatabase(services: readonly MigratedService[]): Map<string, Login[]> {
  const logins = new Map<string, Login[]>();
  for (const { name, databaseUrl } of services) {
    const url = new URL(databaseUrl);
    const database = decodeURIComponent(url.pathname.slice(1));
    const role = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    if (role !== roleOf(name)) {
      throw new Error(
        `the database URL of ${name} has the role ${role}, but the role must be ${roleOf(name)}`,
      );
    }
    if (database === '' || password === '') {
      throw new Error(`the database URL of ${name} must name a database and a password`);
    }
    logins.set(database, [...(logins.get(database) ?? []), { name, password }]);
  }
  return logins;
}

/**
 * Retries with backoff while the database is unavailable, until the deadline. Throws any other error at once, also that of
 * a migration for a missing object or right.
 */
async function retryUntilAvailable<T>(
  attempt: () => Promise<T>,
  { deadline, log }: { deadline: number; log: Logger },
): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const leftMs = deadline - Date.now();
      const isFault = sqlState(error)?.startsWith('42') === true && !isOutage(error);
      if (isFault || !isUnavailable(error) || leftMs <= 0) throw error;
      log.warn({ err: error }, 'the database is unavailable: trying again');
      await sleep(Math.min(backoffMs({ baseMs: 250, maxMs: 5_000 }, retry), leftMs));
    }
  }
}
