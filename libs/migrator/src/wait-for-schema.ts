import { setTimeout as sleep } from 'node:timers/promises';
import { pendingMigrations } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';

type WaitOptions = {
  schema: string;
  databaseUrl: string;
  migrationsDir: string;
  waitMs: number;
  log: Logger;
};

const pollMs = 1_000;

/**
 * Waits until another process has applied all migrations. Database, role and schema may be missing until then, so every
 * error is retried. Throws the last error when the time is over.
 */
export async function waitForSchema(options: WaitOptions): Promise<void> {
  const { schema, databaseUrl: connectionString, migrationsDir: dir, waitMs, log } = options;
  const deadline = Date.now() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const pending = await pendingMigrations({ connectionString, dir });
      if (pending.length === 0) return log.info({ schema }, 'schema is up to date');
      throw new Error(`schema ${schema} lacks ${pending.join(', ')}`);
    } catch (error) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) throw error;
      if (attempt % 10 === 0) log.info({ schema, reason: String(error) }, 'waiting for the migrations');
      await sleep(Math.min(pollMs, leftMs));
    }
  }
}
