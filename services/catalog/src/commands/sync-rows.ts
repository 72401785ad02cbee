import { ApiError } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { getPromptUsage } from '../db/prompt-counts.ts';
import { listPromptsByText } from '../db/prompt-sync.ts';
import type { PromptRow } from '../db/prompts.ts';
import { planOf } from '../domain/plan.ts';
import { actionOf, checkPromptCaps, usageAfter } from '../domain/prompt-change.ts';
import { doneResult, failedResult, type SyncResult } from '../domain/sync-result.ts';
import { type SyncRow, wantedState } from '../domain/sync-row.ts';
import type { PromptPlace } from './prompt-writer.ts';
import { newPromptRow, type PromptWrites, writePrompts } from './write-prompt.ts';

/** A row of the body that has no result yet. */
export type OpenRow = { row: SyncRow; index: number; identity: Buffer };

/** The stored prompts of the rows, by the row's identity in hex. */
export async function storedPrompts(
  db: Parameters<typeof listPromptsByText>[0],
  brandId: string,
  rows: readonly OpenRow[],
): Promise<Map<string, PromptRow>> {
  const identities = rows.map(({ identity }) => identity);
  const stored = await listPromptsByText(db, brandId, identities);
  return new Map(stored.map((prompt) => [prompt.text_identity.toString('hex'), prompt]));
}

/**
 * Applies rows in their order and returns a result of each. The locks of `place` keep stored prompts and usage as they
 * were read, so every row is decided first and all are written at once.
 */
export async function writeSyncRows(
  tx: Transaction,
  place: PromptPlace,
  keyId: string,
  rows: readonly OpenRow[],
): Promise<SyncResult[]> {
  const stored = await storedPrompts(tx, place.brand.id, rows);
  const plan = planOf(place.org);
  let usage = await getPromptUsage(tx, place.org.id);
  const writes: PromptWrites = { created: [], changed: [] };
  const results = rows.map(({ row, index, identity }) => {
    const before = stored.get(identity.toString('hex'));
    const after = wantedState(before, row);
    const action = actionOf(before, after);
    const named = { id: before?.id ?? null, text: row.text };
    try {
      if (action !== 'unchanged') checkPromptCaps(plan, usage, before, after);
    } catch (error) {
      if (error instanceof ApiError) return failedResult(index, named, error);
      throw error;
    }
    usage = usageAfter(usage, before, after);
    if (before !== undefined) {
      if (action !== 'unchanged') writes.changed.push({ id: before.id, ...after });
      return doneResult(index, { id: before.id, text: row.text }, action);
    }
    const created = newPromptRow(place, { text: row.text, state: after, source: 'sync', keyId });
    writes.created.push(created);
    return doneResult(index, { id: created.id, text: row.text }, action);
  });
  await writePrompts(tx, writes);
  return results;
}
