import { ApiError } from '@bv/contract';
import { type Pool, type Queryable, type Transaction, transaction } from '@bv/postgres';
import { insertSteps, type Progress } from '../db/operation-progress.ts';
import { findPromptByText, listMissingPrompts } from '../db/prompt-sync.ts';
import { updatePromptsInactive } from '../db/prompts.ts';
import { actionOf } from '../domain/prompt-change.ts';
import { doneResult, failedResult, type SyncResult } from '../domain/sync-result.ts';
import { type SyncRow, wantedState } from '../domain/sync-row.ts';
import { publishPrompt } from '../events/publish.ts';
import { enterPromptWrite } from './prompt-writer.ts';
import { refuseArchived } from './refusals.ts';
import { addPrompt, changePrompt } from './write-prompt.ts';

/** One try of a sync. */
export type SyncRun = {
  orgId: string;
  brandId: string;
  keyId: string;
  progress: Progress;
  /** Of all rows of the body, in order. */
  identities: readonly Buffer[];
  /** Off once a step has waited in vain for the brand's writer. */
  wait: boolean;
};

export type OpenRow = { row: SyncRow; index: number; identity: Buffer };
type Named = { id: string | null; text: string };

/** Transactions stay short: others of the organisation wait meanwhile. */
const deactivationBatch = 100;

/** Deactivates the active prompts that the body leaves out, but for those an earlier try has `settled`, by their ids. */
export async function deactivateMissing(
  pool: Pool,
  run: SyncRun,
  settled: ReadonlySet<string>,
): Promise<void> {
  const all = await listMissingPrompts(pool, run.brandId, run.identities);
  const missing = all.filter(({ id }) => !settled.has(id));
  for (let at = 0; at < missing.length; at += deactivationBatch) {
    const batch = missing.slice(at, at + deactivationBatch);
    await applyStep(pool, run, batch, null, async (tx) => {
      const deactivated = await updatePromptsInactive(
        tx,
        batch.map(({ id }) => id),
      );
      for (const prompt of deactivated) await publishPrompt(tx, prompt);
      return deactivated.map((prompt) => doneResult(null, prompt, 'deactivated'));
    });
  }
}

/** Applies one row of the body. */
export async function applySyncRow(
  pool: Pool,
  run: SyncRun,
  { row, index, identity }: OpenRow,
): Promise<void> {
  const { brandId, keyId } = run;
  const named: Named = { id: null, text: row.text };
  await applyStep(pool, run, [named], index, async (tx, place) => {
    refuseArchived(place.brand);
    const stored = await findPromptByText(tx, brandId, identity);
    named.id = stored?.id ?? null;
    const next = wantedState(stored, row);
    const prompt = stored
      ? await changePrompt(tx, place, stored, next)
      : await addPrompt(tx, place, { text: row.text, state: next, source: 'sync', keyId });
    return [doneResult(index, { id: prompt.id, text: row.text }, actionOf(stored, next))];
  });
}

type Place = Awaited<ReturnType<typeof enterPromptWrite>>;

/** A step's work and its results in one transaction; what is refused is recorded after it was undone. */
async function applyStep(
  pool: Pool,
  run: SyncRun,
  named: readonly Named[],
  index: number | null,
  work: (tx: Transaction, place: Place) => Promise<SyncResult[]>,
): Promise<void> {
  try {
    await transaction(pool, async (tx) => {
      const place = await enterPromptWrite(tx, run.orgId, run.brandId, run);
      await recordResults(tx, run, await work(tx, place));
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'idempotency_key_in_flight') throw error;
    if (error.code === 'prompt_writes_busy') run.wait = false;
    const failed = named.map((prompt) => failedResult(index, prompt, error));
    await recordResults(pool, run, failed);
  }
}

/** Refuses to go on when a newer try of the same operation has taken over. */
export async function recordResults(
  db: Queryable,
  run: SyncRun,
  results: readonly SyncResult[],
): Promise<void> {
  const steps = results.map((outcome) => ({ position: outcome.index, outcome }));
  if (!(await insertSteps(db, run.progress, steps))) throw new ApiError('idempotency_key_in_flight');
}
