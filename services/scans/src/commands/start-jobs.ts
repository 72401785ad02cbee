import type { Transaction } from '@bv/postgres';
import { lockQueuedJobs, updateJobsCancelled, updateJobsRunning } from '../db/jobs.ts';
import { publishJob } from '../events/publish.ts';
import { settleCancelled } from './cancel-jobs.ts';

/** Starts those of the jobs that are queued; one whose brand was archived meanwhile is cancelled instead. */
export async function startJobs(tx: Transaction, jobIds: string[]): Promise<void> {
  const queued = await lockQueuedJobs(tx, jobIds);
  const idsOf = (archived: boolean) => queued.filter((job) => job.archived === archived).map((job) => job.id);
  if (idsOf(true).length > 0) await settleCancelled(tx, await updateJobsCancelled(tx, idsOf(true)));
  if (idsOf(false).length === 0) return;
  for (const job of await updateJobsRunning(tx, idsOf(false))) await publishJob(tx, job);
}
