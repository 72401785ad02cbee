import type { brandChanged, TypedEnvelope } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { finaliseCancelledJobs } from '../commands/finalise-cancelled-jobs.ts';
import { upsertBrand } from '../db/brands.ts';
import { updateJobsOfBrandCancelled } from '../db/jobs.ts';
import { slotSecond } from '../domain/schedule-slot.ts';

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
