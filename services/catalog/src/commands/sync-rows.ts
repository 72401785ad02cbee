import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { getPromptUsage } from '../db/prompt-counts.ts';
import { listPromptsByText } from '../db/prompt-sync.ts';
import type { PromptRow } from '../db/prompts.ts';
import { toPlan } from '../domain/plan.ts';
import { getPromptAction, checkPromptCaps, usageAfter } from '../domain/prompt-change.ts';
import { successResult, failedResult, type SyncResult } from '../domain/sync-result.ts';
import { type SyncRow, desiredState } from '../domain/sync-row.ts';
import type { LockedParents } from './prompt-write-lock.ts';
import { newPromptRow, type PromptWrites, writePrompts } from './write-prompt.ts';

/** A row of the body that has no result yet. */
export type PendingRow = { row: SyncRow; index: number; identity: Buffer };

/** The stored prompts of the rows, by the row's identity in hex. */
export async function loadStoredPrompts(
  db: Parameters<typeof listPromptsByText>[0],
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
export async function writeSyncRows(
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
