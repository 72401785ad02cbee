import { randomBytes } from 'node:crypto';
import { createLogger, createMetrics } from '@bv/telemetry';
import type { Metrics } from '@bv/telemetry';
import pg from 'pg';
import { createPool, provision, roleOf } from '../src/index.ts';
import type { Pool, PoolOptions } from '../src/index.ts';

export function adminUrl(database?: string): string {
  const given = process.env['TEST_POSTGRES_URL'];
  if (!given) throw new Error('TEST_POSTGRES_URL is not set');
  const url = new URL(given);
  if (database) url.pathname = `/${database}`;
  return url.href;
}

export async function asAdmin<T>(fn: (client: pg.Client) => Promise<T>, database?: string): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl(database) });
  await client.connect();
  try {
    return await fn(client);
  } finally {
    await client.end();
  }
}

export const password = 'not-a-secret';
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(5).toString('hex')}`;

export type TestDatabase = {
  database: string;
  services: string[];
  urlOf(service: string): string;
  drop(): Promise<void>;
};

/** A database of its own with fresh services: roles belong to the whole server, so their names are unique too. */
export async function createTestDatabase(count = 1): Promise<TestDatabase> {
  const database = uniqueName('pglib');
  const services = Array.from({ length: count }, () => uniqueName('svc'));
  await provision({
    adminUrl: adminUrl(),
    database,
    services: services.map((name) => ({ name, password })),
  });
  return {
    database,
    services,
    urlOf: (service) => serviceUrl(database, service),
    drop: () => dropAll([database], services),
  };
}

export function serviceUrl(database: string, service: string, secret = password): string {
  const url = new URL(adminUrl(database));
  url.username = roleOf(service);
  url.password = secret;
  return url.href;
}

export async function dropAll(databases: string[], services: string[]): Promise<void> {
  await asAdmin(async (admin) => {
    for (const name of databases) await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    for (const name of services) await admin.query(`DROP ROLE IF EXISTS "${roleOf(name)}"`);
  });
}

export type LoggedPool = { pool: Pool; metrics: Metrics; lines: string[] };

/** A pool whose log lines can be read. */
export function openPool(connectionString: string, options: Partial<PoolOptions> = {}): LoggedPool {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const metrics = createMetrics('test');
  const log = createLogger({ service: 'test', level: 'debug', destination });
  return {
    pool: createPool({ connectionString, applicationName: 'test', log, metrics, ...options }),
    metrics,
    lines,
  };
}

/** Repeats the check until it passes, for at most 10 s. */
export async function eventually(check: () => void): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    try {
      return check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
