import type { EventData, unitFinalised } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { type JobRow, updateJobCounted } from '../db/jobs.ts';
import { type LeasedUnit, type UnitOutcome, updateUnitFinalised } from '../db/units.ts';
import { publishJob, publishUnit } from '../events/publish.ts';
import { refundScan } from './refund-scan.ts';

/** Data of the event of a finalised unit, without the time of the write. */
export type UnitResult = Omit<EventData<typeof unitFinalised>, 'finalized_at'>;

export type FinalisedUnit = Omit<UnitOutcome, 'sentimentMethod'> & {
  unit: LeasedUnit & { job_id: string };
  result: UnitResult | null;
};

/**
 * Finalises a unit, counts it in its job and ends the job with its last unit. One transaction does it all, so that a
 * unit is published and counted once. Returns false and writes nothing if the lease was lost.
 */
export function finaliseUnit(pool: Pool, { unit, result, ...outcome }: FinalisedUnit): Promise<boolean> {
  failpoint('unit.answered');
  return transaction(pool, async (tx) => {
    const method = result?.sentiment_method ?? null;
    const finalised = await updateUnitFinalised(tx, unit, { ...outcome, sentimentMethod: method });
    if (finalised === undefined) return false;
    if (result !== null) await publishUnit(tx, { ...result, finalized_at: finalised.finalized_at });
    // Last, because all units of a job update its row: the lock is held for a short time.
    await finaliseJob(tx, await updateJobCounted(tx, unit.job_id, outcome.status));
    failpoint('unit.ended');
    return true;
  });
}

async function finaliseJob(tx: Transaction, job: JobRow): Promise<void> {
  if (job.completed_at === null) return;
  if (job.status === 'failed') await refundScan(tx, job);
  await publishJob(tx, job);
}
