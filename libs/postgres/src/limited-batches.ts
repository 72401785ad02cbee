import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sqlState } from './availability.ts';
import { execute, type Transaction } from './query.ts';
import { transaction } from './transaction.ts';

/** What to remove while others use the same rows or locks. */
export type LimitedRemoval<Row> = {
  /** Reads rows without a lock, after the last one of the previous batch. None ends the removal. */
  list(limit: number, last: Row | undefined): Promise<readonly Row[]>;
  /** Takes the locks. False if another process has them: that ends the removal. */
  lock(tx: Transaction): Promise<boolean>;
  /** Removes rows, with at most three statements whose time grows with the rows. */
  remove(tx: Transaction, rows: readonly Row[]): Promise<void>;
  /** Called after each batch with the time for which it held its locks. A batch that took too long is not removed. */
  onBatch?(heldMs: number, isRemoved: boolean): void;
};

export const firstBatchRows = 50;
const minBatchRows = 5;
const maxBatchRows = 5_000;
/** Well below 100 ms, so that a batch several times as slow as the previous one is still below it. */
const targetMs = 15;
/** Three statements and the commit hold locks for less than 100 ms. */
const maxStatementMs = 20;
const queryCancelled = '57014';

/**
 * Removes rows in batches with one transaction each. The size of a batch follows the time for which the last one held
 * its locks. A batch with a statement that takes too long is undone and repeated with fewer rows. Pauses as long as each
 * batch took. Returns whether all rows are removed.
 */
export async function removeInLimitedBatches<Row>(
  pool: Pool,
  removal: LimitedRemoval<Row>,
  stopping: AbortSignal,
): Promise<boolean> {
  let last: Row | undefined;
  let limit = firstBatchRows;
  while (!stopping.aborted) {
    const rows = await removal.list(limit, last);
    if (rows.length === 0) return true;
    const { outcome, heldMs } = await runBatch(pool, removal, rows);
    removal.onBatch?.(heldMs, outcome === 'removed');
    if (outcome === 'locked') return false;
    if (outcome === 'cancelled') {
      limit = shrinkBatch(rows.length);
    } else {
      limit = nextBatchRows(limit, heldMs);
      last = rows.at(-1);
    }
    await sleep(heldMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  return false;
}

type Batch = { outcome: 'removed' | 'cancelled' | 'locked'; heldMs: number };

/** The smallest batch has no limit, so that a slow disk delays the removal but does not end it. */
async function runBatch<Row>(pool: Pool, removal: LimitedRemoval<Row>, rows: readonly Row[]): Promise<Batch> {
  let lockedAt = performance.now();
  const endBatch = (outcome: Batch['outcome']): Batch => ({ outcome, heldMs: performance.now() - lockedAt });
  try {
    const isRemoved = await transaction(pool, async (tx) => {
      if (!(await removal.lock(tx))) return false;
      lockedAt = performance.now();
      await setBatchLimits(tx, rows.length > minBatchRows ? maxStatementMs : 0);
      await removal.remove(tx, rows);
      await resetStatementTimeout(tx);
      return true;
    });
    return endBatch(isRemoved ? 'removed' : 'locked');
  } catch (error) {
    if (sqlState(error) !== queryCancelled) throw error;
    return endBatch('cancelled');
  }
}

/**
 * Ends each further statement of the transaction after a time, and keeps the planner from reading whole tables, which it
 * would where it has no statistics.
 */
function setBatchLimits(tx: Transaction, maxMs: number): Promise<number> {
  return execute(tx, {
    name: 'postgres.set_batch_limits',
    text: `select set_config('statement_timeout', $1, true), set_config('enable_seqscan', 'off', true)`,
    values: [String(maxMs)],
  });
}

/** The end of the transaction has no limit: Postgres may warn if it ends a COMMIT that waits. */
function resetStatementTimeout(tx: Transaction): Promise<number> {
  return execute(tx, {
    name: 'postgres.reset_statement_timeout',
    text: 'set local statement_timeout to default',
    values: [],
  });
}

/** The size of the next batch, by the time for which the last one held its locks. */
export function nextBatchRows(rows: number, heldMs: number): number {
  const factor = Math.min(2, Math.max(0.25, targetMs / Math.max(heldMs, 1)));
  return Math.min(maxBatchRows, Math.max(minBatchRows, Math.round(rows * factor)));
}

/** The size of a batch that is repeated because it took too long. */
export const shrinkBatch = (rows: number): number => Math.max(minBatchRows, Math.floor(rows / 4));
