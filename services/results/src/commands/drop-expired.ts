import type { Transaction } from '@bv/postgres';
import { clearTexts, everyDay } from '../db/retention.ts';
import { deleteUnits, type FinalisedUnit } from '../db/units.ts';
import { isTextKept, isUnitKept, type KeptDays } from '../domain/retention.ts';

/**
 * Deletes those of new units whose days are not kept: what their scores were made of is deleted, so the days must not be
 * scored again. Clears texts that are not kept. The caller holds the locks of the token rows. Returns the kept units.
 */
export async function dropExpired(
  tx: Transaction,
  units: readonly FinalisedUnit[],
  keptDays: ReadonlyMap<string, KeptDays>,
): Promise<FinalisedUnit[]> {
  const isKept = ({ brand_id, run_date }: FinalisedUnit): boolean =>
    isUnitKept(keptDays.get(brand_id) ?? everyDay, run_date);
  for (const [brandId, kept] of keptDays) {
    const ofBrand = units.filter((unit) => unit.brand_id === brandId);
    const expired = ofBrand.filter((unit) => !isKept(unit)).map(({ unit_id }) => unit_id);
    if (expired.length > 0) await deleteUnits(tx, brandId, expired);
    const withoutText = ofBrand
      .filter((unit) => !isTextKept(kept, unit.run_date))
      .map(({ unit_id }) => unit_id);
    if (withoutText.length > expired.length) await clearTexts(tx, brandId, withoutText, false);
  }
  return units.filter(isKept);
}
