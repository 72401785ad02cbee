import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, migrate, provision, roleOf } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';

type MigratedService = { name: string; databaseUrl: string; migrationsDir: string };

type Preparation = {
  services: readonly MigratedService[];
  /** Given, the databases, roles and schemas are made first. */
  adminUrl?: string | undefined;
  waitMs: number;
  log: Logger;
};

/** Everything the services' databases need before they start. Safe to repeat and to run twice at once. */
export async function prepareDatabases({ services, adminUrl, waitMs, log }: Preparation): Promise<void> {
  const deadline = Date.now() + waitMs;
  const wait = { deadline, log };
  if (adminUrl) {
    for (const [database, logins] of loginsByDatabase(services)) {
      await onceItAnswers(() => provision({ adminUrl, database, services: logins }), wait);
      log.info({ database }, 'roles and schemas stand');
    }
  }
  for (const { name, databaseUrl, migrationsDir } of services) {
    const applied = await onceItAnswers(
      () => migrate({ connectionString: databaseUrl, dir: migrationsDir, log }),
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
      throw new Error(`the database URL of ${name} names the role ${role}; the role made is ${roleOf(name)}`);
    }
    if (database === '' || password === '') {
      throw new Error(`the database URL of ${name} must name a database and a password`);
    }
    logins.set(database, [...(logins.get(database) ?? []), { name, password }]);
  }
  return logins;
}

/** Repeated while the database cannot be reached, up to the deadline; any other failure is final at once. */
async function onceItAnswers<T>(
  attempt: () => Promise<T>,
  { deadline, log }: { deadline: number; log: Logger },
): Promise<T> {
  for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      return await attempt();
    } catch (error) {
      const leftMs = deadline - Date.now();
      if (!isUnavailable(error) || leftMs <= 0) throw error;
      log.warn({ err: error }, 'the database cannot be reached yet; trying again');
      await sleep(Math.min(pauseMs, leftMs));
    }
  }
}
