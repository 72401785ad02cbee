import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import { findOperation } from '@bv/http';
import type { Queryable, Transaction } from '@bv/postgres';
import {
  deleteProgress,
  insertSteps,
  type Progress,
  type Step,
  upsertProgress,
} from '../db/operation-progress.ts';

/**
 * Starts an attempt and rejects further steps of older ones. Returns undefined if a response is recorded, possibly by
 * the transaction that `upsertProgress` waited for. A write without an operation id is never retried.
 */
export async function startAttempt(
  tx: Transaction,
  operationId: string | null,
  brandId: string | null = null,
): Promise<Progress | undefined> {
  if (operationId === null) return upsertProgress(tx, randomUUID(), brandId);
  const progress = await upsertProgress(tx, operationId, brandId);
  if ((await findOperation(tx, operationId)) === undefined) return progress;
  await deleteProgress(tx, operationId);
  return undefined;
}

/** Throws if a newer attempt of the operation has started. */
export async function recordSteps(
  db: Queryable,
  progress: Progress,
  steps: readonly Step<unknown>[],
): Promise<void> {
  const recorded = await insertSteps(db, progress, steps);
  if (!recorded) throw new ApiError('idempotency_key_in_flight');
}
