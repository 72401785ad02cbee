import { ApiError } from '@bv/contract';
import { type Pool, type Queryable, type Transaction, transaction } from '@bv/postgres';
import { Semaphore, withTimeout } from 'async-mutex';
import type { Progress } from '../db/operation-progress.ts';
import { listMissingPrompts, listPromptsByText } from '../db/prompt-lists.ts';
import { deactivatePrompts, getPromptUsage, type PromptRow } from '../db/prompts.ts';
import { checkNotArchived } from '../domain/brands.ts';
import { checkPromptCaps, usageAfter } from '../domain/caps.ts';
import { toPlan } from '../domain/plan.ts';
import { desiredState, getPromptAction, type SyncRow } from '../domain/prompts.ts';
import { failedResult, successResult, type SyncResult } from '../domain/sync-result.ts';
import { publishPrompts } from '../publish/publish.ts';
import { recordSteps } from './attempts.ts';
import type { LockedParents } from './brands.ts';
import { lockForPromptWrite, maxWriteWaitMs, type PromptQueue } from './prompt-lock.ts';
import { newPromptRow, type PromptWrites, writePrompts } from './prompts.ts';

/** Bounds how many connections the batches of all syncs of this process hold at once. */
export type SyncSlots = Semaphore;

/** Half of the pool is left to other requests and to the single statements of syncs. */
export const createSyncSlots = (poolSize: number): SyncSlots =>
  new Semaphore(Math.max(1, Math.floor(poolSize / 2)));

/** One attempt of a sync. */
export type SyncRun = {
  pool: Pool;
  promptQueue: PromptQueue;
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

/** A row of the body that has no result yet. */
export type PendingRow = { row: SyncRow; index: number; identity: Buffer };

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
      checkNotArchived(parents.brand);
      return writeRows(tx, parents, run.keyId, batch);
    });
  }
}

function batches<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / batchSize);
  return Array.from({ length: count }, (_, n) => items.slice(n * batchSize, (n + 1) * batchSize));
}

/** A retry of the sync continues after these. */
const endOfSync = new Set(['idempotency_key_in_flight', 'api_unavailable']);

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
    await run.promptQueue.run(brandId, () => inSlot(run, write), waitMs);
  } catch (error) {
    if (!(error instanceof ApiError) || endOfSync.has(error.code)) throw error;
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

/** The stored prompts of the rows, by the row's identity in hex. */
export async function loadStoredPrompts(
  db: Queryable,
  brandId: string,
  rows: readonly PendingRow[],
): Promise<Map<string, PromptRow>> {
  const identities = rows.map(({ identity }) => identity);
  const stored = await listPromptsByText(db, brandId, identities);
  return new Map(stored.map((prompt) => [prompt.text_identity.toString('hex'), prompt]));
}

/**
 * Applies rows in order and returns one result per row. The caller holds the locks of `parents`, so that stored prompts
 * and usage cannot change: all rows are decided first and then written together.
 */
async function writeRows(
  tx: Transaction,
  parents: LockedParents,
  keyId: string,
  rows: readonly PendingRow[],
): Promise<SyncResult[]> {
  const stored = await loadStoredPrompts(tx, parents.brand.id, rows);
  const plan = toPlan(parents.org);
  let usage = await getPromptUsage(tx, parents.org.id);
  const writes: PromptWrites = { created: [], changed: [] };
  const results = rows.map(({ row, index, identity }) => {
    const before = stored.get(identity.toString('hex'));
    const after = desiredState(before, row);
    const action = getPromptAction(before, after);
    const prompt = { id: before?.id ?? null, text: row.text };
    try {
      if (action !== 'unchanged') checkPromptCaps(plan, usage, before, after);
    } catch (error) {
      if (error instanceof ApiError) return failedResult(index, prompt, error);
      throw error;
    }
    usage = usageAfter(usage, before, after);
    if (before !== undefined) {
      if (action !== 'unchanged') writes.changed.push({ id: before.id, ...after });
      return successResult(index, { id: before.id, text: row.text }, action);
    }
    const created = newPromptRow(parents, { text: row.text, state: after, source: 'sync', keyId });
    writes.created.push(created);
    return successResult(index, { id: created.id, text: row.text }, action);
  });
  await writePrompts(tx, writes);
  return results;
}

export async function recordResults(
  db: Queryable,
  { progress }: Pick<SyncRun, 'progress'>,
  results: readonly SyncResult[],
): Promise<void> {
  const steps = results.map((outcome) => ({ position: outcome.index, outcome }));
  await recordSteps(db, progress, steps);
}
