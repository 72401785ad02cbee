import { currentMethodVersion } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { listEarlierMethods } from '../db/day-sums.ts';
import { type Lease, updateReprocessDay } from '../db/reprocess-leases.ts';
import { listSeriesDays } from '../db/scores.ts';
import { type BrandDay, updateDayMethod } from '../db/stored-answers.ts';
import { type ReplacedUnit, replaceUnitBrands } from '../db/units.ts';
import { listDayNumbers, toNumbers } from '../domain/method-versions.ts';
import { hashSearchedBrands } from '../domain/searched-brands.ts';
import { changeBrandToken } from '../publish/publish.ts';
import { recomputeSources } from './recompute-sources.ts';
import { scoreDay } from './score-day.ts';

/** The lease of a job expired, and another worker has the job now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** An answer that was read again. */
export type ReadUnit = {
  unit_id: string;
  xmin: string;
  /** The JSON of what replaces the unit's brands; null if they stay. */
  replacement: string | null;
  /** Whether the own brand, or any competitor, is mentioned now and was not, or the reverse; or it had no names. */
  moves_sources: boolean;
};

export type DayOutcome = { done: number; changed: number };

/**
 * Replaces a day: brand rows, source figures, shares and scores, with one move of the change token. The caller has locked
 * the token row. `pages` has every answer of the day, searched for the brands. Throws `LeaseLost`.
 */
export async function replaceDay(
  tx: Transaction,
  lease: Lease,
  { brandId, runDate, orgId, brandIds }: BrandDay & { orgId: string; brandIds: readonly string[] },
  pages: AsyncIterable<readonly ReadUnit[]>,
): Promise<DayOutcome> {
  let done = 0;
  let changed = 0;
  let movesSources = false;
  for await (const page of pages) {
    const replaced = page.flatMap(({ replacement }) =>
      replacement === null ? [] : [JSON.parse(replacement) as ReplacedUnit],
    );
    if (replaced.length > 0) await replaceUnitBrands(tx, brandId, replaced);
    done += page.length;
    changed += replaced.length;
    movesSources ||= page.some((unit) => unit.moves_sources);
  }
  const updated = await updateDayMethod(
    tx,
    { brandId, runDate },
    { version: currentMethodVersion, searchedBrands: hashSearchedBrands(brandIds) },
  );
  if (changed + updated > 0 || (await hasOtherMethod(tx, { brandId, runDate }))) {
    // The other source figures do not depend on the brands that were found.
    if (movesSources) await recomputeSources(tx, brandId, runDate);
    await scoreDay(tx, brandId, runDate);
    await changeBrandToken(tx, { id: brandId, orgId });
  }
  return endDay(tx, lease, { runDate, done, changed });
}

/** Ends a day without a change, because its texts are no longer kept. Throws `LeaseLost`. */
export const skipDay = (tx: Transaction, lease: Lease, runDate: string): Promise<DayOutcome> =>
  endDay(tx, lease, { runDate, done: 0, changed: 0 });

async function endDay(
  tx: Transaction,
  lease: Lease,
  { runDate, ...outcome }: DayOutcome & { runDate: string },
): Promise<DayOutcome> {
  if (!(await updateReprocessDay(tx, lease, { runDate, ...outcome }))) throw new LeaseLost();
  return outcome;
}

/** Whether a series of the day was computed by another method than it would be now. */
async function hasOtherMethod(tx: Transaction, { brandId, runDate }: BrandDay): Promise<boolean> {
  const scored = await listSeriesDays(tx, brandId, { from: runDate, to: runDate });
  const earlier = await listEarlierMethods(tx, { brandId, runDate, version: currentMethodVersion });
  return scored.some(
    ({ country, method_version }) =>
      toNumbers(method_version).join() !== listDayNumbers(earlier, country).join(),
  );
}
