import { ApiError } from '@bv/contract';
import { type Pool, type Queryable, type Transaction, transaction } from '@bv/postgres';
import { Semaphore, withTimeout } from 'async-mutex';
import { insertSteps, type Progress } from '../db/operation-progress.ts';
import { listMissingPrompts } from '../db/prompt-sync.ts';
import { updatePromptsInactive } from '../db/prompts.ts';
import { doneResult, failedResult, type SyncResult } from '../domain/sync-result.ts';
import { publishPrompts } from '../events/publish.ts';
import { maxWriteWaitMs, type PromptWriteQueue } from './prompt-write-queue.ts';
import { enterPromptWrite, type PromptPlace } from './prompt-writer.ts';
import { refuseArchived } from './refusals.ts';
import { type OpenRow, writeSyncRows } from './sync-rows.ts';

/** Bounds how many connections the batches of all syncs of this process hold at once. */
export type SyncSlots = Semaphore;

/** Half of the pool is left to other requests and to the single statements of syncs. */
export const createSyncSlots = (poolSize: number): SyncSlots =>
  new Semaphore(Math.max(1, Math.floor(poolSize / 2)));

/** One try of a sync. */
export type SyncRun = {
  pool: Pool;
  promptWrites: PromptWriteQueue;
  syncSlots: SyncSlots;
  orgId: string;
  brandId: string;
  keyId: string;
  progress: Progress;
  /** Of all rows of the body, in order. */
  identities: readonly Buffer[];
  /** False once a batch has waited in vain for the brand's lock. */
  wait: boolean;
  /** By `performance.now()`. Rows that are not written by then fail, so that the response is in time. */
  deadline: number;
};

/**
 * Prompts written by one transaction. Each costs a fraction of a transaction of its own, and other writers of the
 * brand wait only for one batch.
 */
const batchSize = 50;

type Named = { index: number | null; id: string | null; text: string };

/** Deactivates active prompts whose text the body lacks, except those `settled` by an earlier try. */
export async function deactivateMissing(run: SyncRun, settled: ReadonlySet<string>): Promise<void> {
  const all = await listMissingPrompts(run.pool, run.brandId, run.identities);
  const missing = all.filter(({ id }) => !settled.has(id)).map((prompt) => ({ ...prompt, index: null }));
  for (const batch of batches(missing)) {
    await writeBatch(run, batch, async (tx) => {
      const ids = batch.map(({ id }) => id);
      const deactivated = await updatePromptsInactive(tx, ids);
      await publishPrompts(tx, deactivated);
      return deactivated.map((prompt) => doneResult(null, prompt, 'deactivated'));
    });
  }
}

export async function applyRows(run: SyncRun, rows: readonly OpenRow[]): Promise<void> {
  for (const batch of batches(rows)) {
    const named = batch.map(({ row, index }) => ({ index, id: null, text: row.text }));
    await writeBatch(run, named, async (tx, place) => {
      refuseArchived(place.brand);
      return writeSyncRows(tx, place, run.keyId, batch);
    });
  }
}

function batches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / batchSize);
  return Array.from({ length: count }, (_, n) => items.slice(n * batchSize, (n + 1) * batchSize));
}

/** Writes and records the results in one transaction; where that is refused, records each as failed. */
async function writeBatch(
  run: SyncRun,
  batch: readonly Named[],
  work: (tx: Transaction, place: PromptPlace) => Promise<SyncResult[]>,
): Promise<void> {
  const { pool, orgId, brandId } = run;
  const write = (): Promise<void> =>
    transaction(pool, async (tx) => {
      const place = await enterPromptWrite(tx, orgId, brandId);
      await recordResults(tx, run, await work(tx, place));
    });
  try {
    const waitMs = run.wait ? Math.min(maxWriteWaitMs, remainingMs(run)) : 0;
    await run.promptWrites.run(brandId, () => inSlot(run, write), waitMs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'idempotency_key_in_flight') throw error;
    if (error.code === 'prompt_writes_busy') run.wait = false;
    await recordResults(
      pool,
      run,
      batch.map((prompt) => failedResult(prompt.index, prompt, error)),
    );
  }
}

/** Waits for a slot until the deadline at most. */
async function inSlot(run: SyncRun, write: () => Promise<void>): Promise<void> {
  const slots = withTimeout(run.syncSlots, remainingMs(run), new ApiError('prompt_writes_busy'));
  await slots.runExclusive(async () => {
    remainingMs(run);
    await write();
  });
}

/** Throws once the deadline has passed. */
function remainingMs({ deadline }: SyncRun): number {
  const leftMs = deadline - performance.now();
  if (leftMs <= 0) throw new ApiError('prompt_writes_busy');
  return leftMs;
}

/** Refuses to go on when a newer try of the same operation has taken over. */
export async function recordResults(
  db: Queryable,
  run: Pick<SyncRun, 'progress'>,
  results: readonly SyncResult[],
): Promise<void> {
  const steps = results.map((outcome) => ({ position: outcome.index, outcome }));
  if (!(await insertSteps(db, run.progress, steps))) throw new ApiError('idempotency_key_in_flight');
}
