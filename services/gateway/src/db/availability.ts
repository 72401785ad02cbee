import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, one } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';

const waitMs = 120_000;

/** A database that comes later than the service is waited for, with readiness off, instead of a crash loop. */
export async function waitForDatabase(pool: Pool, log: Logger, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await one(pool, { name: 'ready', text: 'select 1 as ready', values: [] });
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > deadline) throw error;
      if (attempt === 0) log.warn({ err: error }, 'the database cannot be reached yet; trying on');
      await sleep(Math.min(2_000, 100 * 2 ** attempt), undefined, { signal });
    }
  }
}
