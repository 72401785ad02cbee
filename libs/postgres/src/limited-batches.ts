import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sqlState } from './availability.ts';
import { runScript, type ScriptStatement } from './script.ts';

/** What to remove while others use the same rows or locks. */
export type LimitedRemoval<Row> = {
  /** Name of the batches in metrics. */
  name: string;
  /** Reads rows without a lock, after the last one of the previous batch. None ends the removal. */
  list(limit: number, last: Row | undefined): Promise<readonly Row[]>;
  /** Statements that take the locks, in order. A batch waits for each for a short time only, and holds those before. */
  locks: readonly ScriptStatement[];
  /** The statement that removes rows. It skips rows that others have locked. */
  remove(rows: readonly Row[]): ScriptStatement;
  /** Receives what `remove` returned, after the commit. False: it removed nothing, because others use all the rows. */
  onRemoved(returned: Record<string, unknown>[]): boolean;
  /** Called with the time for which a batch held its locks, unless others kept it from its locks or rows. */
  onBatch?(heldMs: number): void;
};

export const firstBatchRows = 50;
const minBatchRows = 5;
const maxBatchRows = 5_000;
/** Well below 100 ms, so that a batch several times as slow as the previous one is still below it. */
const targetMs = 15;
const maxStatementMs = 20;
/** Of the smallest batch, by the times in a row that it took too long. Then it has none: a slow disk must not end it. */
const smallestBatchMs = [maxStatementMs, 40, 80, 80, 80];
/** A batch that waits for its locks blocks those who wait behind it. */
const maxLockWaitMs = 500;
/** While it holds them it waits for no other for longer, such as for a row that refers to a removed one. */
const maxInnerWaitMs = 10;
/** After so many batches in a row that others kept from their rows, the rest is left to a later run. */
const maxLocked = 5;
const lockedPauseMs = 100;
const queryCancelled = '57014';
const lockNotAvailable = '55P03';

/**
 * Removes rows in batches of one transaction each, which runs inside Postgres without a round trip. The size of a batch
 * follows the time for which the last one held its locks. A batch that takes too long is undone and repeated with fewer
 * rows. Pauses as long as each batch took. Returns whether all rows are removed: rows and locks that others hold are
 * left to a later run.
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
        // The planner would read whole tables where it has no statistics.
        enable_seqscan: 'off',
        // Locks are held until the commit is on disk. A removal that a crash undoes is repeated.
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

/** The time that the statement of a batch may take; 0 is no limit. `cancelled` counts smallest batches in a row. */
export const toMaxMs = (rows: number, cancelled: number): number =>
  rows > minBatchRows ? maxStatementMs : (smallestBatchMs[cancelled] ?? 0);

/** The size of the next batch, by the time for which the last one held its locks. */
export function nextBatchRows(rows: number, heldMs: number): number {
  const factor = Math.min(2, Math.max(0.25, targetMs / Math.max(heldMs, 1)));
  return Math.min(maxBatchRows, Math.max(minBatchRows, Math.round(rows * factor)));
}

/** The size of a batch that is repeated because it took too long. */
export const shrinkBatch = (rows: number): number => Math.max(minBatchRows, Math.floor(rows / 4));
