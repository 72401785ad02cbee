import type { EventData, unitFinalised } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { pauseRateBucket } from '../db/fair-queue.ts';
import { updateJobCounted } from '../db/jobs.ts';
import { type FinalisedRow, updateUnitFinalised, updateUnitPending, type UnitRow } from '../db/units.ts';
import { publishUnit } from '../events/publish.ts';
import { finaliseJob } from './jobs.ts';

/** Data of the event of a finalised unit, without the time of the write. */
export type UnitResult = Omit<EventData<typeof unitFinalised>, 'finalized_at'>;

/** The last outcome of a unit. An answer may have no text: `result.outcome` is `no_answer`. */
export type FinalOutcome =
  | { kind: 'answered'; result: UnitResult; costUsd: number | null; latencyMs: number }
  | { kind: 'failed'; errorKind: string };

/** What an attempt of a unit led to. */
export type Outcome =
  | FinalOutcome
  /** Another attempt after `delayMs`. With `pauseMs` no unit of the platform starts for that time. */
  | { kind: 'retry'; errorKind: string; delayMs: number; pauseMs: number | null }
  /** Another worker may lease the unit at once. It does not count as an attempt. */
  | { kind: 'released' };

/** A unit under the fencing token of its lease. */
type Unit = Pick<UnitRow, 'id' | 'fence' | 'job_id' | 'platform'>;

/**
 * Writes the outcome of a leased unit in one transaction. Returns false if the lease was lost: the unit is unchanged and
 * the outcome of the worker that holds the lease counts.
 */
export async function persistOutcome(pool: Pool, unit: Unit, outcome: Outcome): Promise<boolean> {
  if (outcome.kind === 'answered' || outcome.kind === 'failed') failpoint('unit.answered');
  return transaction(pool, (tx) => writeOutcome(tx, unit, outcome));
}

async function writeOutcome(tx: Transaction, unit: Unit, outcome: Outcome): Promise<boolean> {
  switch (outcome.kind) {
    case 'answered':
    case 'failed':
      return finaliseUnit(tx, unit, outcome);
    case 'retry': {
      const { errorKind, delayMs, pauseMs } = outcome;
      if (pauseMs !== null) await pauseRateBucket(tx, unit.platform, pauseMs);
      return updateUnitPending(tx, unit, { delayMs, errorKind, countAttempt: true });
    }
    case 'released':
      return updateUnitPending(tx, unit, { delayMs: 0, errorKind: null, countAttempt: false });
  }
}

/** Finalises a unit and counts it in its job. The last unit ends the job. */
async function finaliseUnit(tx: Transaction, unit: Unit, outcome: FinalOutcome): Promise<boolean> {
  const row = toRow(outcome);
  const finalised = await updateUnitFinalised(tx, unit, row);
  if (finalised === undefined) return false;
  if (outcome.kind === 'answered') await publishUnit(tx, { ...outcome.result, ...finalised });
  // Last, because all units of a job update its row: the lock is held for a short time.
  const job = await updateJobCounted(tx, unit.job_id, row.status);
  if (job.completed_at !== null) await finaliseJob(tx, job);
  failpoint('unit.ended');
  return true;
}

function toRow(outcome: FinalOutcome): FinalisedRow {
  if (outcome.kind === 'failed') {
    const { errorKind } = outcome;
    return { status: 'failed', costUsd: null, latencyMs: null, errorKind, sentimentMethod: null };
  }
  const { result, costUsd, latencyMs } = outcome;
  const { outcome: status, sentiment_method: sentimentMethod = null } = result;
  return { status, costUsd, latencyMs, errorKind: null, sentimentMethod };
}
