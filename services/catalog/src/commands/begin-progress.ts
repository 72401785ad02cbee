import { randomUUID } from 'node:crypto';
import { findOperation } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { deleteProgress, type Progress, upsertProgress } from '../db/operation-progress.ts';

/**
 * Begins a try, and bars older ones. Undefined where the answer is recorded, perhaps by the very commit that was waited
 * for; a write without an id is never retried.
 */
export async function beginProgress(
  tx: Transaction,
  operationId: string | null,
): Promise<Progress | undefined> {
  if (operationId === null) return upsertProgress(tx, randomUUID());
  const progress = await upsertProgress(tx, operationId);
  if ((await findOperation(tx, operationId)) === undefined) return progress;
  await deleteProgress(tx, operationId);
  return undefined;
}
