import { ApiError, type BodyOf, type syncPrompts as syncPromptsOperation } from '@bv/contract';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import { findBrand } from '../db/brands.ts';
import { deleteProgress, listSteps, type Progress } from '../db/operation-progress.ts';
import { findOrg } from '../db/orgs.ts';
import { listPromptsByText } from '../db/prompt-sync.ts';
import { actionOf } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';
import { doneResult, syncAnswer, type SyncResult } from '../domain/sync-result.ts';
import { wantedState } from '../domain/sync-row.ts';
import { beginProgress } from './begin-progress.ts';
import { refuseArchived, refuseCompetitor } from './refusals.ts';
import { applySyncRow, deactivateMissing, type OpenRow, recordResults, type SyncRun } from './sync-steps.ts';

type SyncPrompts = {
  pool: Pool;
  orgId: string;
  brandId: string;
  keyId: string;
  operationId: string | null;
  body: BodyOf<typeof syncPromptsOperation>;
};

/**
 * Brings a brand's prompts to the state of the body, row by row, each in a transaction of its own. Every result
 * is recorded under the operation's id with what it did, so a retry takes up what an earlier try left open.
 * Returns what the answer is made from, `finishSync` makes it; undefined where it is recorded already.
 */
export async function runSync(input: SyncPrompts): Promise<Progress | undefined> {
  const { pool, body } = input;
  const begun = await beginSync(input);
  if (!begun) return undefined;
  const { progress, recorded } = begun;
  const rows = body.prompts.map((row, index) => ({ row, index, identity: textIdentity(row.text) }));
  const done = new Set(recorded.map(({ index }) => index));
  const settled = new Set(recorded.flatMap(({ index, prompt_id: id }) => (index === null ? id : null) ?? []));
  const open = rows.filter(({ index }) => !done.has(index));
  const run: SyncRun = { ...input, progress, identities: rows.map(({ identity }) => identity), wait: true };

  const changing = await recordUnchanged(pool, run, open);
  if (body.deactivate_missing ?? true) await deactivateMissing(pool, run, settled);
  for (const row of changing) await applySyncRow(pool, run, row);
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

/** Rows that ask for what is there cost two statements together, however many they are. Returns the others. */
async function recordUnchanged(pool: Pool, run: SyncRun, open: readonly OpenRow[]): Promise<OpenRow[]> {
  if (open.length === 0) return [];
  const stored = await listPromptsByText(
    pool,
    run.brandId,
    open.map(({ identity }) => identity),
  );
  const byIdentity = new Map(stored.map((prompt) => [prompt.text_identity.toString('hex'), prompt]));
  const unchanged: SyncResult[] = [];
  const changing = open.filter(({ row, index, identity }) => {
    const prompt = byIdentity.get(identity.toString('hex'));
    if (!prompt || actionOf(prompt, wantedState(prompt, row)) !== 'unchanged') return true;
    unchanged.push(doneResult(index, { id: prompt.id, text: row.text }, 'unchanged'));
    return false;
  });
  await recordResults(pool, run, unchanged);
  return changing;
}
