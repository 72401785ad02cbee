import type { Transaction } from '@bv/postgres';
import { updateAllowanceReturned } from '../db/allowances.ts';
import type { JobRow } from '../db/jobs.ts';
import { findOrg } from '../db/orgs.ts';
import { publishAllowance } from '../events/publish.ts';

/** Returns what a job was charged that brought nothing. Called in the transaction that ends the job, so only once. */
export async function giveBack(tx: Transaction, job: JobRow): Promise<void> {
  if (job.charged === 'none') return;
  const allowance = await updateAllowanceReturned(tx, job.org_id, {
    charged: job.charged,
    month: job.charged_month,
  });
  const org = await findOrg(tx, job.org_id);
  await publishAllowance(tx, allowance, org?.manual_scans ?? null);
}
