import { pruneOperations } from '@bv/http';
import { startInterval } from '@bv/lifecycle';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';

const intervalMs = 60_000;

/** Forgets stored answers whose 24 hours are over, and recorded ones no retry can ask for any more. */
export function startUpkeep(options: { pool: Pool; idempotency: IdempotencyStore; log: Logger }): {
  stop(): Promise<void>;
} {
  const { pool, idempotency, log } = options;
  const prune = async (): Promise<void> => {
    await idempotency.prune();
    await pruneOperations(pool);
  };
  const warn = (error: unknown): void => log.warn({ err: error }, 'upkeep failed');
  return startInterval(intervalMs, prune, warn);
}
