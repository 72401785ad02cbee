import { ApiError, type BodyOf, type syncPrompts as syncPromptsOperation } from '@bv/contract';
import { type Transaction, transaction } from '@bv/postgres';
import { findBrand } from '../db/brands.ts';
import { deleteProgress, listSteps, type Progress } from '../db/operation-progress.ts';
import { findOrg } from '../db/orgs.ts';
import { actionOf } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';
import { doneResult, syncAnswer, type SyncResult } from '../domain/sync-result.ts';
import { wantedState } from '../domain/sync-row.ts';
import { beginProgress } from './begin-progress.ts';
import { refuseArchived, refuseCompetitor } from './refusals.ts';
import { type OpenRow, storedPrompts } from './sync-rows.ts';
import { applyRows, deactivateMissing, recordResults, type SyncRun } from './sync-steps.ts';

type SyncPrompts = Omit<SyncRun, 'progress' | 'identities' | 'wait' | 'deadline'> & {
  operationId: string | null;
  body: BodyOf<typeof syncPromptsOperation>;
  /** How long rows may be written for; the response follows at once. */
  budgetMs: number;
};

/**
 * Brings a brand's prompts to the state of the body, in its order, in several transactions. Every result is recorded
 * under the operation's id with its write, so that a retry continues after what an earlier try has written.
 * Returns what `finishSync` makes the response from; undefined where a response is recorded already.
 */
export async function runSync(input: SyncPrompts): Promise<Progress | undefined> {
  const { body, budgetMs } = input;
  const deadline = performance.now() + budgetMs;
  const begun = await beginSync(input);
  if (!begun) return undefined;
  const { progress, recorded } = begun;
  const rows = body.prompts.map((row, index) => ({ row, index, identity: textIdentity(row.text) }));
  const done = new Set(recorded.map(({ index }) => index));
  const settled = new Set(recorded.flatMap(({ index, prompt_id: id }) => (index === null ? id : null) ?? []));
  const open = rows.filter(({ index }) => !done.has(index));
  const identities = rows.map(({ identity }) => identity);
  const run: SyncRun = { ...input, progress, identities, wait: true, deadline };

  const changing = await recordUnchanged(run, open);
  if (body.deactivate_missing ?? true) await deactivateMissing(run, settled);
  await applyRows(run, changing);
  return progress;
}

/** In the transaction that records the answer. */
export async function finishSync(
  tx: Transaction,
  { operationId }: Progress,
): Promise<ReturnType<typeof syncAnswer>> {
  const steps = await listSteps<SyncResult>(tx, operationId);
  await deleteProgress(tx, operationId);
  return syncAnswer(steps.map(({ outcome }) => outcome));
}

/** The refusals that hold for the whole body; a retry of a sync that had begun is past them. */
async function beginSync({ pool, orgId, brandId, operationId }: SyncPrompts) {
  return transaction(pool, async (tx) => {
    const brand = (await findOrg(tx, orgId)) && (await findBrand(tx, brandId));
    if (brand?.org_id !== orgId) throw new ApiError('not_found');
    refuseCompetitor(brand);
    const progress = await beginProgress(tx, operationId);
    if (!progress) return undefined;
    const steps = await listSteps<SyncResult>(tx, progress.operationId);
    if (steps.length === 0) refuseArchived(brand);
    return { progress, recorded: steps.map(({ outcome }) => outcome) };
  });
}

/** Records the rows that change nothing, by two statements however many they are. Returns the others. */
async function recordUnchanged(run: SyncRun, open: readonly OpenRow[]): Promise<OpenRow[]> {
  if (open.length === 0) return [];
  const stored = await storedPrompts(run.pool, run.brandId, open);
  const unchanged: SyncResult[] = [];
  const changing = open.filter(({ row, index, identity }) => {
    const prompt = stored.get(identity.toString('hex'));
    if (!prompt || actionOf(prompt, wantedState(prompt, row)) !== 'unchanged') return true;
    unchanged.push(doneResult(index, { id: prompt.id, text: row.text }, 'unchanged'));
    return false;
  });
  await recordResults(run.pool, run, unchanged);
  return changing;
}
