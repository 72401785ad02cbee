import type { Transaction } from '@bv/postgres';
import { extractTraceContext } from '@bv/telemetry';
import { updateAllowanceRefunded } from '../db/allowances.ts';
import { type JobRow, lockQueuedJobs, updateJobsCancelled, updateJobsRunning } from '../db/jobs.ts';
import { listUnitsByMarket } from '../db/units.ts';
import { publishJob } from '../publish/publish.ts';

/** Starts the queued jobs among these. A job whose brand or organisation has ended is cancelled instead. */
export async function startJobs(tx: Transaction, jobIds: string[]): Promise<void> {
  const queued = await lockQueuedJobs(tx, jobIds);
  const selectIds = (ended: boolean) => queued.filter((job) => job.ended === ended).map((job) => job.id);
  if (selectIds(true).length > 0) await finaliseJobs(tx, await updateJobsCancelled(tx, selectIds(true)));
  if (selectIds(false).length === 0) return;
  for (const job of await updateJobsRunning(tx, selectIds(false))) await publishJob(tx, job);
}

/**
 * Publishes jobs whose last unit was finalised, or that were cancelled before they started: a worker that leases one of
 * their units deletes it. Jobs that measured nothing are refunded. `traceOf` is by default the active trace.
 */
export async function finaliseJobs(
  tx: Transaction,
  jobs: readonly JobRow[],
  traceOf: (job: JobRow) => string | undefined = () => undefined,
): Promise<void> {
  // All transactions lock allowances in the order of the organisation, so that two cannot deadlock.
  for (const job of jobs.toSorted((a, b) => (a.org_id < b.org_id ? -1 : 1)))
    await extractTraceContext({ traceparent: traceOf(job) }, () => finaliseJob(tx, job));
}

async function finaliseJob(tx: Transaction, job: JobRow): Promise<void> {
  if (job.status === 'failed' || job.status === 'cancelled') await refundScan(tx, job);
  await publishJob(tx, job, job.status === 'cancelled' ? undefined : await listUnitsByMarket(tx, job.id));
}

/** The transaction that finalises the job calls it, so it runs once. */
async function refundScan(tx: Transaction, job: JobRow): Promise<void> {
  if (job.charged === 'none') return;
  await updateAllowanceRefunded(tx, job.org_id, { charged: job.charged, month: job.charged_month });
}
