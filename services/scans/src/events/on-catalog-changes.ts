import type { brandChanged, orgChanged, TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { finaliseCancelledJobs } from '../commands/jobs.ts';
import { lockAllowance, updateAllowanceVersion } from '../db/allowances.ts';
import { upsertBrand } from '../db/brands.ts';
import { updateJobsOfBrandCancelled } from '../db/jobs.ts';
import { findOrg, upsertOrg } from '../db/orgs.ts';
import { slotSecond, toUtcMonth } from '../domain/calendar.ts';
import { publishAllowance } from './publish.ts';

/**
 * Updates the projection of an organisation. Publishes its allowance at first and when the limit changes, so that usage
 * is available before the first scan.
 */
export function onOrgChanged(now: () => Date) {
  return async (tx: Transaction, { version, data }: TypedEnvelope<typeof orgChanged>): Promise<void> => {
    // The lock is first, so that two states of one organisation are handled one after the other.
    const allowance = await lockAllowance(tx, data.id, toUtcMonth(now()));
    const before = await findOrg(tx, data.id);
    if ((await upsertOrg(tx, data, version)) === 0) return;
    const limit = data.limits.manual_scans;
    if (allowance.version > 0 && before?.manual_scans === limit) return;
    await publishAllowance(tx, await updateAllowanceVersion(tx, data.id), limit);
  };
}

/** Updates the projection of a brand. If it is archived, cancels its queued scans. */
export async function onBrandChanged(
  tx: Transaction,
  { version, data: brand }: TypedEnvelope<typeof brandChanged>,
): Promise<void> {
  const { id, org_id, is_own, sunset_at, created_at, updated_at } = brand;
  const slot_second = slotSecond(id);
  const row = { id, org_id, is_own, sunset_at, created_at, updated_at, slot_second, version };
  if ((await upsertBrand(tx, row)) === 0 || sunset_at === null) return;
  await finaliseCancelledJobs(tx, await updateJobsOfBrandCancelled(tx, id, updated_at));
}
