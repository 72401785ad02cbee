import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '@bv/lifecycle';
import { type Pool, sqlState, type Transaction, transaction } from '@bv/postgres';
import { lockBrandToken } from '../db/brands.ts';
import {
  clearTexts,
  findUnitDay,
  listNextUnits,
  resetStatementTimeout,
  type RetainedBrand,
  setBatchLimits,
  type UnitPlace,
  updateTextsRemoved,
  updateUnitsRemoved,
} from '../db/retention.ts';
import { deleteUnits } from '../db/units.ts';
import { addDays } from '../domain/calendar.ts';
import { firstBatchUnits, minBatchUnits, nextBatchUnits, shrinkBatch } from '../domain/retention.ts';
import type { RetentionMetrics } from '../telemetry.ts';

/** A batch has at most three statements, so it holds its lock for less than 100 ms. */
const maxStatementMs = 25;
const queryCancelled = '57014';

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
    await removeDay(removal, { brandId, runDate }, 'units');
    if (removal.stopping.aborted) return;
  }
  await updateUnitsRemoved(removal.pool, brandId, before);
}

async function removeTexts(removal: Removal, brand: RetainedBrand): Promise<void> {
  const { brand_id: brandId, texts_from: before, texts_removed_before: removedBefore } = brand;
  if (before === null || (removedBefore !== null && removedBefore >= before)) return;
  const findDay = (from: string | null) => findUnitDay(removal.pool, brandId, { from, before });
  let runDate = await findDay(removedBefore);
  while (runDate !== undefined) {
    await removeDay(removal, { brandId, runDate }, 'texts');
    if (removal.stopping.aborted) return;
    const next = addDays(runDate, 1);
    await updateTextsRemoved(removal.pool, brandId, next);
    runDate = await findDay(next);
  }
  await updateTextsRemoved(removal.pool, brandId, before);
}

/** Each removes what units of a brand have of one kind, and returns how many had it. */
const removals = {
  units: async (tx: Transaction, brandId: string, ids: string[]): Promise<number> => {
    await deleteUnits(tx, brandId, ids);
    return ids.length;
  },
  texts: clearTexts,
};

/**
 * Removes what a day has of one kind, in batches with one transaction each. The size of a batch follows the time for
 * which the last one held its lock. Pauses as long as each batch took.
 */
async function removeDay(
  { pool, metrics, stopping }: Removal,
  day: { brandId: string; runDate: string },
  kind: 'units' | 'texts',
): Promise<void> {
  let after: UnitPlace | null = null;
  let limit = firstBatchUnits;
  while (!stopping.aborted) {
    const units: UnitPlace[] = await listNextUnits(pool, { ...day, after, limit });
    if (units.length === 0) return;
    const ids = units.map(({ id }) => id);
    const { removed, heldMs } = await runBatch(pool, { ...day, ids }, removals[kind]);
    failpoint('retention.batch_committed');
    metrics.batch(heldMs);
    if (removed === undefined) {
      limit = shrinkBatch(ids.length);
    } else {
      metrics.removed(kind, removed);
      limit = nextBatchUnits(limit, heldMs);
      after = units.at(-1) ?? null;
    }
    await sleep(heldMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/**
 * Runs a batch under the lock of the brand's token row. `removed` is undefined if it took too long: then it is undone.
 * The smallest batch has no limit, so that a slow disk delays the retention but does not end it.
 */
async function runBatch(
  pool: Pool,
  { brandId, ids }: { brandId: string; ids: string[] },
  remove: (tx: Transaction, brandId: string, ids: string[]) => Promise<number>,
): Promise<{ removed: number | undefined; heldMs: number }> {
  let lockedAt = performance.now();
  let removed: number | undefined;
  try {
    removed = await transaction(pool, async (tx) => {
      await lockBrandToken(tx, brandId);
      lockedAt = performance.now();
      await setBatchLimits(tx, ids.length > minBatchUnits ? maxStatementMs : 0);
      const count = await remove(tx, brandId, ids);
      await resetStatementTimeout(tx);
      failpoint('retention.batch_written');
      return count;
    });
  } catch (error) {
    if (sqlState(error) !== queryCancelled) throw error;
  }
  return { removed, heldMs: performance.now() - lockedAt };
}
