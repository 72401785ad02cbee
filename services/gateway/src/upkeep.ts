import { pruneOperations } from '@bv/http';
import { startInterval } from '@bv/lifecycle';
import { removeInBatches, type Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { deleteOldIdempotencyKeys } from './db/idempotency-keys.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';

const intervalMs = 60_000;
const owedIntervalMs = 500;
const pruneBatch = 1_000;

/** Settles what the database was away for, forgets stored answers whose 24 hours are over, and recorded ones no retry can ask for any more. */
export function startUpkeep(options: { pool: Pool; idempotency: IdempotencyStore; log: Logger }): {
  stop(): Promise<void>;
} {
  const { pool, idempotency, log } = options;
  const prune = async (stopping: AbortSignal): Promise<void> => {
    await removeInBatches(pruneBatch, (limit) => deleteOldIdempotencyKeys(pool, limit), stopping);
    await pruneOperations(pool, stopping);
  };
  const warn = (error: unknown): void => log.warn({ err: error }, 'upkeep failed');
  // A failure was told of when the settlement first failed.
  const owed = startInterval(
    owedIntervalMs,
    () => idempotency.payOwed(),
    () => undefined,
  );
  const pruned = startInterval(intervalMs, prune, warn);
  return {
    stop: async () => {
      await Promise.all([owed.stop(), pruned.stop()]);
    },
  };
}
