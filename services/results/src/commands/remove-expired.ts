import { failpoint } from '@bv/lifecycle';
import { type Pool, removeInLimitedBatches } from '@bv/postgres';
import { toTokenLock } from '../db/brands.ts';
import {
  findUnitDay,
  listNextUnits,
  type RetainedBrand,
  toTextDeletion,
  type UnitPlace,
  updateTextsRemoved,
  updateUnitsRemoved,
} from '../db/retention.ts';
import { toUnitDeletion } from '../db/units.ts';
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

/** The statement that removes what units of a brand have of one kind, and the number that it returns. */
const removals = {
  units: { toStatement: toUnitDeletion, count: ([deleted]: Returned) => Number(deleted?.['units']) },
  texts: { toStatement: toTextDeletion, count: (cleared: Returned) => cleared.length },
};
type Returned = readonly Record<string, unknown>[];

/** Removes what a day has of one kind, in batches under the lock of the brand's token row. */
function removeDay(
  { pool, metrics, stopping }: Removal,
  { brandId, runDate }: { brandId: string; runDate: string },
  kind: 'units' | 'texts',
): Promise<boolean> {
  const { toStatement, count } = removals[kind];
  return removeInLimitedBatches<UnitPlace>(
    pool,
    {
      name: `results.remove_${kind}_batch`,
      list: (limit, last) => listNextUnits(pool, { brandId, runDate, after: last ?? null, limit }),
      locks: [toTokenLock(brandId)],
      remove: (units) =>
        toStatement(
          brandId,
          units.map(({ id }) => id),
        ),
      onRemoved: (returned) => {
        metrics.removed(kind, count(returned));
        failpoint('retention.batch_committed');
        return true;
      },
      onBatch: (heldMs) => metrics.batch(heldMs),
    },
    stopping,
  );
}
