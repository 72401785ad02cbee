import { ApiError, type RequestBody, type syncPrompts } from '@bv/contract';
import { type Transaction, transaction } from '@bv/postgres';
import { findBrand } from '../db/brands.ts';
import { deleteProgress, listSteps, type Progress } from '../db/operation-progress.ts';
import { findOrg } from '../db/orgs.ts';
import { checkNotArchived, checkOwnBrand } from '../domain/brands.ts';
import { desiredState, getPromptAction, textIdentity } from '../domain/prompts.ts';
import { successResult, type SyncResult, toSyncResponse } from '../domain/sync-result.ts';
import { startAttempt } from './attempts.ts';
import {
  applyRows,
  deactivateMissing,
  loadStoredPrompts,
  type PendingRow,
  recordResults,
  type SyncRun,
} from './sync-batches.ts';

type PromptSync = Omit<SyncRun, 'progress' | 'identities' | 'wait' | 'deadline'> & {
  operationId: string | null;
  body: RequestBody<typeof syncPrompts>;
  /** Time in which rows may be written; the response follows at once. */
  budgetMs: number;
};

/**
 * Changes a brand's prompts to the state of the body, in its order, in several transactions. Each write also records
 * its results under the operation's id, so that a retry continues after the rows of an earlier attempt.
 * Returns the input of `finishSync`, or undefined if a response is already recorded.
 */
export async function runSync(input: PromptSync): Promise<Progress | undefined> {
  const { body, budgetMs } = input;
  const deadline = performance.now() + budgetMs;
  const started = await startSync(input);
  if (!started) return undefined;
  const { progress, recorded } = started;
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

/** Builds the response. Runs in the transaction that records it. */
export async function finishSync(
  tx: Transaction,
  { operationId }: Progress,
): Promise<ReturnType<typeof toSyncResponse>> {
  const steps = await listSteps<SyncResult>(tx, operationId);
  await deleteProgress(tx, operationId);
  return toSyncResponse(steps.map(({ outcome }) => outcome));
}

/** Checks that concern the whole body. A retry of a sync with recorded steps skips the check for archived brands. */
async function startSync({ pool, orgId, brandId, operationId }: PromptSync) {
  return transaction(pool, async (tx) => {
    const brand = (await findOrg(tx, orgId)) && (await findBrand(tx, brandId));
    if (brand?.org_id !== orgId) throw new ApiError('not_found');
    checkOwnBrand(brand);
    const progress = await startAttempt(tx, operationId, brandId);
    if (!progress) return undefined;
    const steps = await listSteps<SyncResult>(tx, progress.operationId);
    if (steps.length === 0) checkNotArchived(brand);
    return { progress, recorded: steps.map(({ outcome }) => outcome) };
  });
}

/** Records the rows that change nothing with two statements in total. Returns the other rows. */
async function recordUnchanged(run: SyncRun, open: readonly PendingRow[]): Promise<PendingRow[]> {
  if (open.length === 0) return [];
  const stored = await loadStoredPrompts(run.pool, run.brandId, open);
  const unchanged: SyncResult[] = [];
  const changing = open.filter(({ row, index, identity }) => {
    const prompt = stored.get(identity.toString('hex'));
    if (!prompt || getPromptAction(prompt, desiredState(prompt, row)) !== 'unchanged') return true;
    unchanged.push(successResult(index, { id: prompt.id, text: row.text }, 'unchanged'));
    return false;
  });
  await recordResults(run.pool, run, unchanged);
  return changing;
}
