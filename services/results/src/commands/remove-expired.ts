import { failpoint } from '@bv/lifecycle';
import { type Batch, type Pool, removeInBatches, removeUnderLocks } from '@bv/postgres';
import { lockBrandToken } from '../db/brands.ts';
import {
  clearTexts,
  findUnitDay,
  listNextUnits,
  type RetainedBrand,
  type UnitPlace,
  updateTextsRemoved,
  updateUnitsRemoved,
} from '../db/retention.ts';
import { deleteUnits } from '../db/units.ts';
import { addDays } from '../domain/calendar.ts';
import type { RetentionMetrics } from '../telemetry.ts';

export type Removal = { pool: Pool; metrics: RetentionMetrics; stopping: AbortSignal };

/**
 * Deletes the units of a brand before its first day with units, the oldest day first, then clears the texts of the
 * remaining days before its first day with texts. Readers do not see these rows, so the change token stays. A run that
 * ends early continues at its day.
 */
export async function removeExpired(removal: Removal, brand: RetainedBrand): Promise<void> {
  await removeUnits(removal, brand);
  await removeTexts(removal, brand);
}

async function removeUnits(removal: Removal, brand: RetainedBrand): Promise<void> {
  const { brand_id: brandId, units_from: before, units_removed_before: removedBefore } = brand;
  if (before === null || (removedBefore !== null && removedBefore >= before)) return;
  const findDay = () => findUnitDay(removal.pool, brandId, { from: null, before });
  for (let runDate = await findDay(); runDate !== undefined; runDate = await findDay()) {
    if (!(await removeDay(removal, { brandId, runDate }, 'units'))) return;
  }
  await updateUnitsRemoved(removal.pool, brandId, before);
}

async function removeTexts(removal: Removal, brand: RetainedBrand): Promise<void> {
  const { brand_id: brandId, texts_from: before, texts_removed_before: removedBefore } = brand;
  if (before === null || (removedBefore !== null && removedBefore >= before)) return;
  const findDay = (from: string | null) => findUnitDay(removal.pool, brandId, { from, before });
  let runDate = await findDay(removedBefore);
  while (runDate !== undefined) {
    if (!(await removeDay(removal, { brandId, runDate }, 'texts'))) return;
    const next = addDays(runDate, 1);
    await updateTextsRemoved(removal.pool, brandId, next);
    runDate = await findDay(next);
  }
  await updateTextsRemoved(removal.pool, brandId, before);
}

const removals = { units: deleteUnits, texts: clearTexts };

/** Removes what a day has of one kind, in batches under the lock of the brand's token row. */
async function removeDay(
  { pool, metrics, stopping }: Removal,
  { brandId, runDate }: { brandId: string; runDate: string },
  kind: 'units' | 'texts',
): Promise<boolean> {
  let after: UnitPlace | null = null;
  const removeBatch = async (limit: number): Promise<Batch | number> => {
    const units = await listNextUnits(pool, { brandId, runDate, after, limit });
    if (units.length === 0) return 0;
    const ids = units.map(({ id }) => id);
    const { rows, heldMs } = await removeUnderLocks(
      pool,
      (tx) => lockBrandToken(tx, brandId),
      (tx) => removals[kind](tx, brandId, ids),
    );
    metrics.removed(kind, rows);
    metrics.batch(heldMs);
    failpoint('retention.batch_committed');
    after = units.at(-1) ?? null;
    return { rows: units.length, heldMs };
  };
  return (await removeInBatches(removeBatch, stopping)).isDone;
}
