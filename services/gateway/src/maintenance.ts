import { pruneOperations } from '@bv/http';
import { startInterval } from '@bv/lifecycle';
import { removeInBatches, type Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { deleteOldIdempotencyRecords } from './db/idempotency-keys.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';

const intervalMs = 60_000;
const pendingIntervalMs = 500;

/** Retries pending releases of idempotency keys, and deletes stored responses and operation records that are too old for a retry. */
export function startMaintenance(options: { pool: Pool; idempotency: IdempotencyStore; log: Logger }): {
  stop(): Promise<void>;
} {
  const { pool, idempotency, log } = options;
  const prune = async (stopping: AbortSignal): Promise<void> => {
    await removeInBatches((limit) => deleteOldIdempotencyRecords(pool, limit), stopping);
    await pruneOperations(pool, stopping);
  };
  const warn = (error: unknown): void => log.warn({ err: error }, 'maintenance failed');
  // The first failure of a release is logged where it happens.
  const pending = startInterval(
    pendingIntervalMs,
    () => idempotency.flushPendingReleases(),
    () => undefined,
  );
  const pruned = startInterval(intervalMs, prune, warn);
  return {
    stop: async () => {
      await Promise.all([pending.stop(), pruned.stop()]);
    },
  };
}
