import type { Transaction } from '@bv/postgres';
import type { JobRow } from '../db/jobs.ts';
import { publishJob } from '../events/publish.ts';
import { giveBack } from './give-back.ts';

/** Tells of jobs that were cancelled before they started and returns their charges. Their units go as they come up. */
export async function settleCancelled(tx: Transaction, jobs: JobRow[]): Promise<void> {
  // One order of organisations for everybody: their allowances are locked one after the other.
  for (const job of jobs.toSorted((a, b) => (a.org_id < b.org_id ? -1 : 1))) {
    await giveBack(tx, job);
    await publishJob(tx, job);
  }
}
