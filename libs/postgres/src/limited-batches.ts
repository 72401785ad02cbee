import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sqlState } from './availability.ts';
import { runScript, type ScriptStatement } from './script.ts';

/** A removal of rows while other transactions use the same rows or locks. */
export type LimitedRemoval<Row> = {
  /** Name of the batches in metrics. */
  name: string;
  /** Reads rows without a lock, after the last row of the previous batch. An empty list ends the removal. */
  list(limit: number, last: Row | undefined): Promise<readonly Row[]>;
  /** Statements that take the locks, in order. A batch waits for each only a short time and holds the previous ones. */
  locks: readonly ScriptStatement[];
  /** The statement that removes rows. It skips locked rows. */
  remove(rows: readonly Row[]): ScriptStatement;
  /** Receives what `remove` returned, after the commit. Returns false if all the rows were locked. */
  onRemoved(returned: Record<string, unknown>[]): boolean;
  /** Receives the time for which a batch held its locks, unless locks or rows were locked. */
  onBatch?(heldMs: number): void;
};

export const firstBatchRows = 50;
const minBatchRows = 5;
const maxBatchRows = 5_000;
/** Well below 100 ms, so that a batch that is several times slower than the previous one stays below it. */
const targetMs = 15;
const maxStatementMs = 20;
/** Limits of the smallest batch, by the number of timeouts in a row. Then it has none, so that it ends on a slow disk. */
const smallestBatchMs = [maxStatementMs, 40, 80, 80, 80];
/** Short, because a batch that waits for its locks blocks later waiters. */
const maxLockWaitMs = 500;
/** Maximum wait for further locks while it holds them, such as for a row that refers to a removed one. */
const maxInnerWaitMs = 10;
/** After so many batches in a row whose rows were locked, a later run continues. */
const maxLocked = 5;
const lockedPauseMs = 100;
const queryCancelled = '57014';
const lockNotAvailable = '55P03';

/**
 * Removes rows in batches of one transaction each, without a round trip inside. The size of a batch follows the time for
 * which the last one held its locks. A batch that takes too long is rolled back and repeated with fewer rows. Pauses as
 * long as each batch took. Returns whether all rows are removed. Otherwise rows were locked, and a later run continues.
 */
export async function removeInLimitedBatches<Row>(
  pool: Pool,
  removal: LimitedRemoval<Row>,
  stopping: AbortSignal,
): Promise<boolean> {
  let last: Row | undefined;
  let limit = firstBatchRows;
  let [locked, cancelled] = [0, 0];
  while (!stopping.aborted && locked < maxLocked) {
    const rows = await removal.list(limit, last);
    if (rows.length === 0) return true;
    const { outcome, heldMs } = await runBatch(pool, removal, {
      rows,
      maxMs: toMaxMs(rows.length, cancelled),
    });
    if (outcome !== 'locked') removal.onBatch?.(heldMs);
    locked = outcome === 'locked' ? locked + 1 : 0;
    cancelled = outcome === 'cancelled' && rows.length <= minBatchRows ? cancelled + 1 : 0;
    if (outcome === 'cancelled') limit = shrinkBatch(rows.length);
    if (outcome === 'removed') {
      limit = nextBatchRows(limit, heldMs);
      last = rows.at(-1);
    }
    const pauseMs = outcome === 'locked' ? lockedPauseMs : heldMs;
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  return false;
}

type Batch = { outcome: 'removed' | 'cancelled' | 'locked'; heldMs: number };

async function runBatch<Row>(
  pool: Pool,
  removal: LimitedRemoval<Row>,
  { rows, maxMs }: { rows: readonly Row[]; maxMs: number },
): Promise<Batch> {
  try {
    const results = await runScript(pool, removal.name, [
      toSettings({ lock_timeout: maxLockWaitMs }),
      ...removal.locks,
      readClock,
      toSettings({
        lock_timeout: maxInnerWaitMs,
        statement_timeout: maxMs,
        // Without statistics the planner would read whole tables.
        enable_seqscan: 'off',
        // Otherwise locks are held until the commit is on disk. After a crash the removal is repeated.
        synchronous_commit: 'off',
      }),
      removal.remove(rows),
      readClock,
    ]);
    const [lockedAt, endedAt] = [toMs(results.at(-4)), toMs(results.at(-1))];
    const isRemoved = removal.onRemoved(results.at(-2) ?? []);
    return { outcome: isRemoved ? 'removed' : 'locked', heldMs: endedAt - lockedAt };
  } catch (error) {
    const state = sqlState(error);
    if (state === lockNotAvailable) return { outcome: 'locked', heldMs: 0 };
    if (state === queryCancelled) return { outcome: 'cancelled', heldMs: maxMs };
    throw error;
  }
}

const readClock: ScriptStatement = {
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  values: [],
};
const toMs = (rows: Record<string, unknown>[] | undefined): number => Number(rows?.[0]?.['ms']);

/** Sets them for the rest of the transaction. */
function toSettings(settings: Record<string, string | number>): ScriptStatement {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return { text: `select ${calls.join(', ')}`, values: [] };
}

/** Timeout of the statement of a batch. 0 is none. `cancelled` counts timeouts of smallest batches in a row. */
export const toMaxMs = (rows: number, cancelled: number): number =>
  rows > minBatchRows ? maxStatementMs : (smallestBatchMs[cancelled] ?? 0);

/** Size of the next batch, by the time for which the last one held its locks. */
export function nextBatchRows(rows: number, heldMs: number): number {
  const factor = Math.min(2, Math.max(0.25, targetMs / Math.max(heldMs, 1)));
  return Math.min(maxBatchRows, Math.max(minBatchRows, Math.round(rows * factor)));
}

/** Size of a batch that is repeated because it timed out. */
export const shrinkBatch = (rows: number): number => Math.max(minBatchRows, Math.floor(rows / 4));
