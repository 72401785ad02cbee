import type { brandChanged, EnvelopeOf } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { settleCancelled } from '../commands/cancel-jobs.ts';
import { upsertBrand } from '../db/brands.ts';
import { updateJobsOfBrandCancelled } from '../db/jobs.ts';
import { slotSecond } from '../domain/schedule-slot.ts';

/** Stores what this service needs of a brand; an archived one's scans that have not started are cancelled. */
export async function onBrandChanged(
  tx: Transaction,
  { version, data: brand }: EnvelopeOf<typeof brandChanged>,
): Promise<void> {
  const { id, org_id, is_own, sunset_at, created_at, updated_at } = brand;
  const slot_second = slotSecond(id);
  const row = { id, org_id, is_own, sunset_at, created_at, updated_at, slot_second, version };
  if ((await upsertBrand(tx, row)) === 0 || sunset_at === null) return;
  await settleCancelled(tx, await updateJobsOfBrandCancelled(tx, id, updated_at));
}
