import type { Transaction } from '@bv/postgres';
import { updateAllowanceRefunded } from '../db/allowances.ts';
import type { JobRow } from '../db/jobs.ts';
import { findOrg } from '../db/orgs.ts';
import { publishAllowance } from '../events/publish.ts';

/** Refunds the charge of a job that measured nothing. The transaction that ends the job calls it, so it runs once. */
export async function refundScan(tx: Transaction, job: JobRow): Promise<void> {
  if (job.charged === 'none') return;
  const allowance = await updateAllowanceRefunded(tx, job.org_id, {
    charged: job.charged,
    month: job.charged_month,
  });
  const org = await findOrg(tx, job.org_id);
  await publishAllowance(tx, allowance, org?.manual_scans ?? null);
}
