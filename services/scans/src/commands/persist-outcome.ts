import type { EventData, unitFinalised } from '@bv/events';
import { failpoint } from '@bv/lifecycle';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { pauseRateBucket } from '../db/fair-queue.ts';
import { addAnswers } from '../db/answer-months.ts';
import { type JobCounts, type JobRow, updateJobsCounted } from '../db/jobs.ts';
import { type FinalisedRow, updateUnitPending, updateUnitsFinalised, type UnitRow } from '../db/units.ts';
import { type AnswerPrices, priceUnits } from '../domain/answer-price.ts';
import { publishUnits } from '../publish/publish.ts';
import { finaliseJobs } from './jobs.ts';

/** Data of the event of a finalised unit, without the time of the write. */
export type UnitResult = Omit<EventData<typeof unitFinalised>, 'finalized_at'>;

/** The last outcome of a unit. An answer may have no text: `result.outcome` is `no_answer`. */
export type FinalOutcome =
  | { kind: 'answered'; result: UnitResult; costUsd: number | null; latencyMs: number }
  | { kind: 'failed'; errorKind: string };

/** An outcome after which the unit waits in the queue again. */
export type OpenOutcome =
  /** Another attempt after `delayMs`. With `pauseMs` no unit of the platform starts for that time. */
  | { kind: 'retry'; errorKind: string; delayMs: number; pauseMs: number | null }
  /** Another worker may lease the unit at once. It does not count as an attempt. */
  | { kind: 'released' };

/** What an attempt of a unit led to. */
export type Outcome = FinalOutcome | OpenOutcome;

/** A unit under the fencing token of its lease. */
type Unit = Pick<UnitRow, 'id' | 'fencing_token' | 'job_id' | 'platform'>;

/** A unit to finalise. Its events belong to the trace. */
export type FinalUnit = { unit: Unit; outcome: FinalOutcome; traceparent: string | undefined };

/** Returns a leased unit to the queue. Does nothing if the lease was lost. */
export function requeueUnit(pool: Pool, unit: Unit, outcome: OpenOutcome): Promise<boolean> {
  return transaction(pool, async (tx) => {
    if (outcome.kind === 'released')
      return updateUnitPending(tx, unit, { delayMs: 0, errorKind: null, countAttempt: false });
    const { errorKind, delayMs, pauseMs } = outcome;
    if (pauseMs !== null) await pauseRateBucket(tx, unit.platform, pauseMs);
    return updateUnitPending(tx, unit, { delayMs, errorKind, countAttempt: true });
  });
}

/**
 * Finalises leased units in one transaction and counts them in their jobs. The last unit of a job ends it. Returns false
 * for a unit whose lease was lost: it is unchanged and the outcome of the worker that holds the lease counts.
 */
export async function finaliseUnits(
  pool: Pool,
  units: readonly FinalUnit[],
  prices: AnswerPrices = {},
): Promise<boolean[]> {
  const times = await transaction(pool, (tx) => writeOutcomes(tx, units, prices));
  failpoint('unit.committed');
  return times.map((time) => time !== undefined);
}

async function writeOutcomes(
  tx: Transaction,
  units: readonly FinalUnit[],
  prices: AnswerPrices,
): Promise<readonly (string | undefined)[]> {
  const times = await updateUnitsFinalised(tx, units.map(toRow));
  const answered = units.flatMap(({ outcome, traceparent }, index) => {
    const time = times[index];
    if (time === undefined || outcome.kind !== 'answered') return [];
    return [{ data: { ...outcome.result, finalized_at: time }, traceparent }];
  });
  await publishUnits(tx, answered);
  // Last, because all units of a job update its row: the lock is held for a short time.
  const stored = units.filter((_, index) => times[index] !== undefined);
  await countInMonth(tx, stored, await countInJobs(tx, stored), prices);
  failpoint('unit.ended');
  return times;
}

async function countInJobs(tx: Transaction, units: readonly FinalUnit[]): Promise<JobRow[]> {
  const byJob = Map.groupBy(units, ({ unit }) => unit.job_id);
  if (byJob.size === 0) return [];
  const counts = [...byJob].map(([id, its]) => toCounts(id, its));
  const jobs = await updateJobsCounted(tx, counts);
  const ended = jobs.filter((job) => job.completed_at !== null);
  // The end of a job belongs to the trace of its last unit.
  await finaliseJobs(tx, ended, ({ id }) => byJob.get(id)?.at(-1)?.traceparent);
  return jobs;
}

/** Counts the units in the usage of their organisations. */
async function countInMonth(
  tx: Transaction,
  units: readonly FinalUnit[],
  jobs: readonly JobRow[],
  prices: AnswerPrices,
): Promise<void> {
  const orgOfJob = new Map(jobs.map((job) => [job.id, job.org_id]));
  const asked = units.filter(({ outcome }) => wasAsked(outcome));
  const byOrg = Map.groupBy(asked, ({ unit }) => orgOfJob.get(unit.job_id) ?? '');
  if (byOrg.size === 0) return;
  await addAnswers(
    tx,
    Array.from(byOrg, ([orgId, its]) => {
      const platforms = Map.groupBy(its, ({ unit }) => unit.platform);
      const counts = Object.fromEntries(
        Array.from(platforms, ([platform, { length }]) => [platform, length]),
      );
      return { orgId, units: its.length, costUsd: priceUnits(counts, prices) };
    }),
  );
}

function toCounts(id: string, units: readonly FinalUnit[]): JobCounts {
  const count = (status: FinalisedRow['status']): number =>
    units.filter(({ outcome }) => statusOf(outcome) === status).length;
  return { id, answered: count('answered'), noAnswer: count('no_answer'), failed: count('failed') };
}

/** A platform without a key is not asked. */
export const wasAsked = (outcome: FinalOutcome): boolean =>
  outcome.kind !== 'failed' || outcome.errorKind !== 'unconfigured';

const statusOf = (outcome: FinalOutcome): FinalisedRow['status'] =>
  outcome.kind === 'failed' ? 'failed' : outcome.result.outcome;

function toRow({ unit: { id, fencing_token }, outcome }: FinalUnit): FinalisedRow {
  const status = statusOf(outcome);
  if (outcome.kind === 'failed') {
    const { errorKind } = outcome;
    return { id, fencing_token, status, costUsd: null, latencyMs: null, errorKind, sentimentMethod: null };
  }
  const { result, costUsd, latencyMs } = outcome;
  const { sentiment_method: sentimentMethod } = result;
  return { id, fencing_token, status, costUsd, latencyMs, errorKind: null, sentimentMethod };
}
