import type { DataOfEvent, unitFinalised } from '@bv/events';
import { crashPoint } from '@bv/lifecycle';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { type JobRow, updateJobCounted } from '../db/jobs.ts';
import { type LeasedUnit, type UnitEnd, updateUnitEnded } from '../db/units.ts';
import { publishJob, publishUnit } from '../events/publish.ts';
import { giveBack } from './give-back.ts';

/** What a finalised unit tells, but for the moment it was written. */
export type Finding = Omit<DataOfEvent<typeof unitFinalised>, 'finalized_at'>;

export type Ending = Omit<UnitEnd, 'sentimentMethod'> & {
  unit: LeasedUnit & { job_id: string };
  finding: Finding | null;
};

/**
 * Ends a unit, counts it in its job and, with the last one, ends the job: all in one transaction, so that a unit is
 * told and counted once. False where the lease was lost: then nothing was written.
 */
export function finaliseUnit(pool: Pool, { unit, finding, ...end }: Ending): Promise<boolean> {
  crashPoint('unit.answered');
  return transaction(pool, async (tx) => {
    const method = finding?.sentiment_method ?? null;
    const ended = await updateUnitEnded(tx, unit, { ...end, sentimentMethod: method });
    if (ended === undefined) return false;
    if (finding !== null) await publishUnit(tx, { ...finding, finalized_at: ended.finalized_at });
    // Last, because all units of a job meet at this row.
    await settleJob(tx, await updateJobCounted(tx, unit.job_id, end.status));
    crashPoint('unit.ended');
    return true;
  });
}

async function settleJob(tx: Transaction, job: JobRow): Promise<void> {
  if (job.completed_at === null) return;
  if (job.status === 'failed') await giveBack(tx, job);
  await publishJob(tx, job);
}
