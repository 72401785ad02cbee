import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sqlState } from './availability.ts';
import type { Transaction } from './query.ts';
import { transaction } from './transaction.ts';

/** The number of removed rows, and the time for which the batch held its locks. */
export type Batch = { rows: number; heldMs: number };

/** Few, so that the first batch is short even if each row takes milliseconds. */
export const firstBatchRows = 10;
const minBatchRows = 5;
const maxBatchRows = 5_000;
/** Well below 100 ms, so that a batch that is several times slower than the previous one stays below it. */
const targetMs = 15;
/** After so many batches in a row that did not get their locks, a later run continues. */
const maxLocked = 5;
const lockedPauseMs = 100;
const lockNotAvailable = '55P03';

/**
 * Removes rows in batches, each in its own transaction. `removeBatch` removes at most `limit` rows, skips locked ones and
 * returns the number. The size of a batch follows the time of the previous one, and the pause is as long. Ends with a batch
 * that is not full, when `stopping` aborts, or if other transactions keep the locks. `isDone`: the last batch was not full.
 */
export async function removeInBatches(
  removeBatch: (limit: number) => Promise<number | Batch>,
  stopping: AbortSignal,
): Promise<{ removed: number; isDone: boolean }> {
  let [limit, removed, locked] = [firstBatchRows, 0, 0];
  while (!stopping.aborted && locked < maxLocked) {
    const batch = await runBatch(removeBatch, limit);
    locked = batch === undefined ? locked + 1 : 0;
    if (batch !== undefined) {
      removed += batch.rows;
      if (batch.rows < limit) return { removed, isDone: true };
      limit = nextBatchRows(limit, batch.heldMs);
    }
    await sleep(batch?.heldMs ?? lockedPauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  return { removed, isDone: false };
}

/** Undefined: it did not get a lock in time. */
async function runBatch(
  removeBatch: (limit: number) => Promise<number | Batch>,
  limit: number,
): Promise<Batch | undefined> {
  const startedAt = performance.now();
  try {
    const batch = await removeBatch(limit);
    return typeof batch === 'object' ? batch : { rows: batch, heldMs: performance.now() - startedAt };
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return undefined;
    throw error;
  }
}

/** A batch of rows whose writers use the same locks. `lock` acquires them, for which it waits briefly. */
export async function removeUnderLocks(
  pool: Pool,
  lock: (tx: Transaction) => Promise<unknown>,
  remove: (tx: Transaction) => Promise<number>,
): Promise<Batch> {
  let lockedAt = 0;
  const run = async (tx: Transaction): Promise<number> => {
    await lock(tx);
    lockedAt = performance.now();
    return remove(tx);
  };
  const rows = await transaction(pool, run, { brief: true });
  return { rows, heldMs: performance.now() - lockedAt };
}

/** The size of the next batch, by the time for which the previous one held its locks. */
export function nextBatchRows(rows: number, heldMs: number): number {
  const factor = Math.min(2, Math.max(0.1, targetMs / Math.max(heldMs, 1)));
  return Math.min(maxBatchRows, Math.max(minBatchRows, Math.round(rows * factor)));
}
