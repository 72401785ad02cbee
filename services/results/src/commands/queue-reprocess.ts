import { randomUUID } from 'node:crypto';
import { ApiError, type DateWindow } from '@bv/contract';
import { isPurged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { findOpenReprocessJobId, insertReprocessJob, type ReprocessJobRow } from '../db/reprocess-jobs.ts';

const maxAttempts = 3;

type Order = { orgId: string; brandId: string; window: DateWindow; requestId: string };

/** Queues a reprocess job. Throws `reprocess_in_progress` if the brand has one that the request cannot take over. */
export async function queueReprocess(tx: Transaction, order: Order): Promise<ReprocessJobRow> {
  if (await isPurged(tx, order.orgId)) throw new ApiError('not_found');
  for (let attempt = 1; ; attempt += 1) {
    const job = await insertReprocessJob(tx, { id: randomUUID(), ...order });
    if (job !== undefined) return job;
    const openJobId = await findOpenReprocessJobId(tx, order.brandId);
    if (openJobId !== undefined)
      throw new ApiError('reprocess_in_progress', { details: { job_id: openJobId } });
    // The open job ended between the insert and the read: the insert is repeated.
    if (attempt === maxAttempts) throw new ApiError('api_unavailable');
  }
}
