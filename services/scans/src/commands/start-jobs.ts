import type { Transaction } from '@bv/postgres';
import { lockQueuedJobs, updateJobsCancelled, updateJobsRunning } from '../db/jobs.ts';
import { publishJob } from '../events/publish.ts';
import { finaliseCancelledJobs } from './finalise-cancelled-jobs.ts';

/** Starts the queued jobs among these. A job whose brand was archived after its plan is cancelled instead. */
export async function startJobs(tx: Transaction, jobIds: string[]): Promise<void> {
  const queued = await lockQueuedJobs(tx, jobIds);
  const selectIds = (archived: boolean) =>
    queued.filter((job) => job.archived === archived).map((job) => job.id);
  if (selectIds(true).length > 0)
    await finaliseCancelledJobs(tx, await updateJobsCancelled(tx, selectIds(true)));
  if (selectIds(false).length === 0) return;
  for (const job of await updateJobsRunning(tx, selectIds(false))) await publishJob(tx, job);
}
