import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool, migrate, provision } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import type { EventData, brandChanged, promptChanged } from '../src/index.ts';

const tables = new URL('../sql/events.sql', import.meta.url);
/** Roles are the server's, so test files at the same time must agree on it. */
const password = 'events-test';
const service = 'evtest';

export const log = createLogger({ service, level: process.env['TEST_LOG'] ?? 'silent' });
export const metrics = createMetrics(service);

export type TestDatabase = { url: string; pool: Pool; drop(): Promise<void> };

/** A database with the event tables, migrated as a service does it. */
export async function openDatabase(adminUrl = process.env['TEST_POSTGRES_URL'] ?? ''): Promise<TestDatabase> {
  const database = `events_${randomBytes(6).toString('hex')}`;
  await provision({ adminUrl, database, services: [{ name: service, password }] });
  const url = new URL(adminUrl);
  url.username = `bv_${service}`;
  url.password = password;
  url.pathname = `/${database}`;
  const dir = await mkdtemp(join(tmpdir(), 'bv-events-'));
  await copyFile(tables, join(dir, '0001_events.sql'));
  await migrate({ connectionString: url.href, dir });
  await rm(dir, { recursive: true });
  const pool = openPool(url.href);
  return {
    url: url.href,
    pool,
    drop: async () => {
      await pool.end();
      const admin = openPool(adminUrl);
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}

export function openPool(connectionString: string): Pool {
  return createPool({ connectionString, applicationName: 'events-test', max: 20, log, metrics });
}

export function brandData(
  change: Partial<EventData<typeof brandChanged>> = {},
): EventData<typeof brandChanged> {
  return {
    id: randomUUID(),
    org_id: randomUUID(),
    name: 'Acme',
    domain: 'acme.example',
    aliases: ['Acme Inc'],
    match: { case_sensitive: false, exclude: [], verify: false },
    is_own: true,
    external_ref: null,
    geography: 'global',
    sunset_at: null,
    created_at: '2026-11-21T03:00:00.123456Z',
    updated_at: '2026-11-21T03:00:00.123456Z',
    competitors: [],
    ...change,
  };
}

export function promptData(
  change: Partial<EventData<typeof promptChanged>> = {},
): EventData<typeof promptChanged> {
  return {
    id: randomUUID(),
    org_id: randomUUID(),
    brand_id: randomUUID(),
    text: 'best anvils',
    tags: [],
    countries: ['US'],
    platforms: ['chatgpt'],
    active: true,
    source: 'api',
    created_by_key_id: null,
    created_at: '2026-11-21T03:00:00Z',
    updated_at: '2026-11-21T03:00:00Z',
    ...change,
  };
}
