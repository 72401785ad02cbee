import type { brandChanged, EventData } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { upsertBrand } from '../db/brands.ts';
import { updateJobsOfBrandCancelled } from '../db/jobs.ts';
import { slotSecond } from '../domain/calendar.ts';
import { finaliseJobs } from './jobs.ts';

/** Stores a state of a brand that catalog published or replied. If the brand is archived, cancels its queued scans. */
export async function storeBrand(
  tx: Transaction,
  brand: EventData<typeof brandChanged>,
  version: number,
): Promise<void> {
  const { id, sunset_at: archivedAt, updated_at: updatedAt } = brand;
  const stored = await upsertBrand(tx, { ...brand, slot_second: slotSecond(id), version });
  if (stored === 0 || archivedAt === null) return;
  await finaliseJobs(tx, await updateJobsOfBrandCancelled(tx, id, updatedAt));
}
