import { type brandChanged, type orgChanged, recordPurge, type TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { storeBrand } from '../commands/brands.ts';
import { finaliseJobs } from '../commands/jobs.ts';
import { updateJobsOfOrgCancelled } from '../db/jobs.ts';
import { upsertOrg } from '../db/orgs.ts';

/** Updates the projection of an organisation. If it is deleted, cancels its queued scans. */
export async function onOrgChanged(
  tx: Transaction,
  { version, data }: TypedEnvelope<typeof orgChanged>,
): Promise<void> {
  const stored = await upsertOrg(tx, data, version);
  if (stored > 0 && data.deleted_at !== null)
    await finaliseJobs(tx, await updateJobsOfOrgCancelled(tx, data.id));
  await recordPurge(tx, data);
}

/** Updates the projection of a brand. */
export function onBrandChanged(
  tx: Transaction,
  { version, data }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  return storeBrand(tx, data, version);
}
