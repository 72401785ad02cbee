import type { Transaction } from '@bv/postgres';
import type { JobRow } from '../db/jobs.ts';
import { publishJob } from '../events/publish.ts';
import { refundScan } from './refund-scan.ts';

/**
 * Publishes jobs that were cancelled before they started and refunds their charges. A worker that leases one of their
 * units deletes it.
 */
export async function finaliseCancelledJobs(tx: Transaction, jobs: JobRow[]): Promise<void> {
  // All transactions lock allowances in the order of the organisation, so that two cannot deadlock.
  for (const job of jobs.toSorted((a, b) => (a.org_id < b.org_id ? -1 : 1))) {
    await refundScan(tx, job);
    await publishJob(tx, job);
  }
}
