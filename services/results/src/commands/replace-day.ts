import { currentMethodVersion } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type BrandDay, updateDayMethod, updateDayRead } from '../db/reprocess-days.ts';
import { type Lease, updateReprocessDay } from '../db/reprocess-leases.ts';
import {
  countReadUnits,
  deleteReadUnits,
  listReplacements,
  upsertReprocessChanges,
} from '../db/reprocess-units.ts';
import { type ReplacedUnit, replaceUnitBrands } from '../db/units.ts';
import { toNumbers } from '../domain/method-versions.ts';
import { changeBrandToken } from '../publish/publish.ts';
import { readDayMethods } from './day-methods.ts';
import { recomputeSources } from './recompute-sources.ts';
import { scoreDay } from './score-day.ts';

/** Keeps the event loop free: a page is parsed and written as JSON. */
const maxPageUnits = 100;

/** The lease of a job expired, and another worker has the job now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export type DayOutcome = { read: number; changed: number };

/**
 * Replaces what a lease has read of a day: brand rows, source figures, shares and scores, with one move of the change
 * token. The caller has locked the token row and read all units of the day. Throws `LeaseLost`.
 */
export async function replaceDay(
  tx: Transaction,
  lease: Lease,
  { brandId, runDate, orgId }: BrandDay & { orgId: string },
): Promise<DayOutcome> {
  const { read, moves_mentions: movesMentions } = await countReadUnits(tx, lease, brandId);
  const changed = await upsertReprocessChanges(tx, lease, brandId);
  const isReplaced = await replaceUnits(tx, lease, brandId);
  const { unrecorded } = await readDayMethods(tx, { brandId, runDate });
  await updateDayMethod(tx, { brandId, runDate }, { version: currentMethodVersion, unrecorded });
  if (isReplaced || (await hasOtherMethod(tx, { brandId, runDate }))) {
    // The other source figures do not depend on the brands that were found.
    if (movesMentions) {
      await recomputeSources(tx, brandId, runDate);
      // Its rows look as if the answers had just been stored.
      await updateDayRead(tx, { brandId, runDate });
    }
    await scoreDay(tx, brandId, runDate);
    await changeBrandToken(tx, { id: brandId, orgId });
  }
  return endDay(tx, lease, { runDate, read, changed });
}

/** Ends a day without a change, because its texts are no longer kept. Throws `LeaseLost`. */
export const skipDay = (tx: Transaction, lease: Lease, { runDate }: BrandDay): Promise<DayOutcome> =>
  endDay(tx, lease, { runDate, read: 0, changed: 0 });

async function endDay(
  tx: Transaction,
  lease: Lease,
  { runDate, read, changed }: DayOutcome & { runDate: string },
): Promise<DayOutcome> {
  await deleteReadUnits(tx, lease);
  const isHeld = await updateReprocessDay(tx, lease, { runDate, done: read, changed });
  if (!isHeld) throw new LeaseLost();
  return { read, changed };
}

/** Whether a series of the day was computed by another method than it would be now. */
async function hasOtherMethod(tx: Transaction, day: BrandDay): Promise<boolean> {
  const { scored, listNumbers } = await readDayMethods(tx, day);
  return scored.some(
    ({ country, method_version }) => toNumbers(method_version).join() !== listNumbers(country).join(),
  );
}

async function replaceUnits(tx: Transaction, lease: Lease, brandId: string): Promise<boolean> {
  let after: string | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const page: Awaited<ReturnType<typeof listReplacements>> = await listReplacements(tx, lease, {
      brandId,
      after,
      limit: maxPageUnits,
    });
    if (page.length === 0) return !isFirst;
    await replaceUnitBrands(
      tx,
      brandId,
      page.map(({ replacement }) => replacement as ReplacedUnit),
    );
    after = page.at(-1)?.unit_id ?? null;
  }
}
