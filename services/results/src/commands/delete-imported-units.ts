import type { DateWindow } from '@bv/contract';
import { type Pool, transaction } from '@bv/postgres';
import { lockBrandToken } from '../db/brands.ts';
import { forgetNames } from '../db/name-days.ts';
import { deleteUnits, findImportedDay, listImportedUnitIds } from '../db/units.ts';
import { deleteScoresWithoutUnits } from '../db/scores.ts';
import { deleteAllSharesOfDay } from '../db/share-of-voice.ts';
import { deleteUnscoredDay } from '../db/unscored-days.ts';
import { isTextKept, isUnitKept } from '../domain/retention.ts';
import { changeBrandToken } from '../publish/publish.ts';
import { recomputeSources } from './recompute-sources.ts';
import { scoreDay } from './score-day.ts';

const maxBatchUnits = 2_000;

type Deleted = { deleted: number; eventId: string | undefined };

/**
 * Deletes the imported units of a window, one day in each transaction: no reader sees half a day, and locks are held
 * for one day only. Returns the event of the last change token.
 */
export async function deleteImportedUnits(pool: Pool, brandId: string, window: DateWindow): Promise<Deleted> {
  const result: Deleted = { deleted: 0, eventId: undefined };
  let day = await findImportedDay(pool, brandId, { ...window, after: null });
  while (day !== undefined) {
    const { deleted, eventId } = await deleteDay(pool, brandId, day);
    result.deleted += deleted;
    result.eventId = eventId ?? result.eventId;
    day = await findImportedDay(pool, brandId, { ...window, after: day });
  }
  return result;
}

function deleteDay(pool: Pool, brandId: string, runDate: string): Promise<Deleted> {
  return transaction(pool, async (tx) => {
    const none: Deleted = { deleted: 0, eventId: undefined };
    const brand = await lockBrandToken(tx, brandId);
    // The retention ended while this waited for the lock: the sums of the day no longer depend on its units.
    if (brand === undefined || !isUnitKept(brand, runDate)) return none;
    let deleted = 0;
    for (;;) {
      const ids = await listImportedUnitIds(tx, brandId, runDate, maxBatchUnits);
      if (ids.length === 0) break;
      await deleteUnits(tx, brandId, ids);
      deleted += ids.length;
    }
    if (deleted === 0) return none;
    if (!isTextKept(brand, runDate)) await forgetNames(tx, brandId, runDate);
    await recomputeSources(tx, brandId, runDate);
    await deleteScoresWithoutUnits(tx, brandId, runDate);
    await deleteAllSharesOfDay(tx, brandId, runDate);
    await deleteUnscoredDay(tx, { brand_id: brandId, run_date: runDate });
    await scoreDay(tx, brandId, runDate);
    const { eventId } = await changeBrandToken(tx, { id: brandId, orgId: brand.org_id });
    return { deleted, eventId };
  });
}
