import { ApiError } from '@bv/contract';
import { type Pool, type Queryable, type Transaction, transaction } from '@bv/postgres';
import { Semaphore, withTimeout } from 'async-mutex';
import { insertSteps, type Progress } from '../db/operation-progress.ts';
import { listMissingPrompts } from '../db/prompt-sync.ts';
import { deactivatePrompts } from '../db/prompts.ts';
import { successResult, failedResult, type SyncResult } from '../domain/sync-result.ts';
import { publishPrompts } from '../events/publish.ts';
import { maxWriteWaitMs, type PromptWriteQueue } from './prompt-write-queue.ts';
import { lockForPromptWrite, type LockedParents } from './prompt-write-lock.ts';
import { assertNotArchived } from './assert-brand.ts';
import { type PendingRow, writeSyncRows } from './sync-rows.ts';

/** Bounds how many connections the batches of all syncs of this process hold at once. */
export type SyncSlots = Semaphore;

/** Half of the pool is left to other requests and to the single statements of syncs. */
export const createSyncSlots = (poolSize: number): SyncSlots =>
  new Semaphore(Math.max(1, Math.floor(poolSize / 2)));

/** One attempt of a sync. */
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
  /** False after a batch did not get the brand's lock in time. */
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

/** Deactivates active prompts whose text the body lacks, except those `settled` by an earlier attempt. */
export async function deactivateMissing(run: SyncRun, settled: ReadonlySet<string>): Promise<void> {
  const all = await listMissingPrompts(run.pool, run.brandId, run.identities);
  const missing = all.filter(({ id }) => !settled.has(id)).map((prompt) => ({ ...prompt, index: null }));
  for (const batch of batches(missing)) {
    await writeBatch(run, batch, async (tx) => {
      const ids = batch.map(({ id }) => id);
      const deactivated = await deactivatePrompts(tx, ids);
      await publishPrompts(tx, deactivated);
      return deactivated.map((prompt) => successResult(null, prompt, 'deactivated'));
    });
  }
}

export async function applyRows(run: SyncRun, rows: readonly PendingRow[]): Promise<void> {
  for (const batch of batches(rows)) {
    const named = batch.map(({ row, index }) => ({ index, id: null, text: row.text }));
    await writeBatch(run, named, async (tx, parents) => {
      assertNotArchived(parents.brand);
      return writeSyncRows(tx, parents, run.keyId, batch);
    });
  }
}

function batches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / batchSize);
  return Array.from({ length: count }, (_, n) => items.slice(n * batchSize, (n + 1) * batchSize));
}

/** Writes a batch and records its results in one transaction. After a refusal, records every row as failed. */
async function writeBatch(
  run: SyncRun,
  batch: readonly Named[],
  work: (tx: Transaction, parents: LockedParents) => Promise<SyncResult[]>,
): Promise<void> {
  const { pool, orgId, brandId } = run;
  const write = (): Promise<void> =>
    transaction(pool, async (tx) => {
      const parents = await lockForPromptWrite(tx, orgId, brandId);
      await recordResults(tx, run, await work(tx, parents));
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

/** Throws if a newer attempt of the operation has started. */
export async function recordResults(
  db: Queryable,
  run: Pick<SyncRun, 'progress'>,
  results: readonly SyncResult[],
): Promise<void> {
  const steps = results.map((outcome) => ({ position: outcome.index, outcome }));
  if (!(await insertSteps(db, run.progress, steps))) throw new ApiError('idempotency_key_in_flight');
}
