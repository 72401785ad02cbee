import { dropPurged } from '@bv/events';
import { type Pool, transaction } from '@bv/postgres';
import { listBrandTokens, lockBrandToken } from '../db/brands.ts';
import type { FinalisedUnit } from '../db/units.ts';
import {
  deleteUnscoredDay,
  insertUnscoredDays,
  listUnscoredDays,
  type UnscoredDay,
} from '../db/unscored-days.ts';
import {
  changeBrandToken,
  publishBrandToken,
  type TokenEvent,
  type TokenEvents,
} from '../publish/publish.ts';
import { ingestUnits } from './ingest-units.ts';
import { scoreDay } from './score-day.ts';

const maxDaysPerPage = 5_000;
/** Brands that are scored concurrently, well below the pool size. The token lock serialises the days of one brand. */
const maxConcurrentBrands = 3;
const maxTokensPerPage = 1_000;

/**
 * Stores a batch of imported units and marks their days as unscored, in one transaction. A day is scored after the last
 * batch, not after each. Publishes no `scan.scored`, because an import triggers no webhooks. Returns the number of new
 * units, the change events of their brands, and the units of days or organisations that were deleted meanwhile.
 */
export function importUnits(
  pool: Pool,
  units: FinalisedUnit[],
): Promise<{ imported: number; dropped: ReadonlySet<FinalisedUnit>; tokenEvents: TokenEvents }> {
  return transaction(pool, async (tx) => {
    const kept = new Set(await dropPurged(tx, units, ({ org_id }) => org_id));
    const { newUnits, expired, tokenEvents } = await ingestUnits(tx, [...kept]);
    await insertUnscoredDays(tx, newUnits);
    const dropped = new Set([...units.filter((unit) => !kept.has(unit)), ...expired]);
    return { imported: newUnits.length, dropped, tokenEvents };
  });
}

/**
 * Scores the days of an import, and those that an earlier import of its brands left. Sets `tokenEvents` to the event of
 * the last change token of each brand.
 */
export async function finishImport(
  pool: Pool,
  brandIds: ReadonlySet<string>,
  tokenEvents: TokenEvents,
): Promise<void> {
  const scored = await scoreUnscoredDays(pool, { brandIds: [...brandIds] });
  for (const [brandId, tokenEvent] of scored) tokenEvents.set(brandId, tokenEvent);
  await republishSupersededTokens(pool, tokenEvents);
}

type Scored = { brandIds?: readonly string[]; signal?: AbortSignal };

/** Scores the unscored days of brands, by default of all. Returns the event of the last change token of each brand. */
export async function scoreUnscoredDays(pool: Pool, { brandIds, signal }: Scored): Promise<TokenEvents> {
  const tokenEvents: TokenEvents = new Map();
  let after: UnscoredDay | null = null;
  do {
    const days: UnscoredDay[] = await listUnscoredDays(pool, {
      brandIds: brandIds ?? null,
      after,
      limit: maxDaysPerPage,
    });
    const brands = Map.groupBy(days, (day) => day.brand_id).values();
    const worker = async (): Promise<void> => {
      for (const brandDays of brands) {
        for (const day of brandDays) {
          const tokenEvent = signal?.aborted === true ? undefined : await scoreUnscoredDay(pool, day);
          if (tokenEvent !== undefined) tokenEvents.set(day.brand_id, tokenEvent);
        }
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: maxConcurrentBrands }, worker));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    if (signal?.aborted === true) return tokenEvents;
    after = days.at(-1) ?? null;
  } while (after !== null);
  return tokenEvents;
}

/**
 * Scores one unscored day. Returns the token event, or undefined if another process scored the day while this one
 * waited for the lock.
 */
function scoreUnscoredDay(pool: Pool, day: UnscoredDay): Promise<TokenEvent | undefined> {
  return transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, day.brand_id);
    if (brand === undefined || (await deleteUnscoredDay(tx, day)) === 0) return undefined;
    await scoreDay(tx, day.brand_id, day.run_date);
    return changeBrandToken(tx, { id: day.brand_id, orgId: brand.org_id });
  });
}

/**
 * A concurrent import may score the days of this import and publish newer tokens with its own events. Publishes those
 * tokens again as events of this import, because the response of an import waits for its own events only.
 */
async function republishSupersededTokens(pool: Pool, tokenEvents: TokenEvents): Promise<void> {
  const brandIds = [...tokenEvents.keys()];
  for (let at = 0; at < brandIds.length; at += maxTokensPerPage) {
    for (const { brand_id: brandId, org_id: orgId, ...token } of await listBrandTokens(
      pool,
      brandIds.slice(at, at + maxTokensPerPage),
    )) {
      if (token.version <= (tokenEvents.get(brandId)?.version ?? 0)) continue;
      const eventId = await transaction(pool, (tx) => publishBrandToken(tx, { id: brandId, orgId }, token));
      tokenEvents.set(brandId, { version: token.version, eventId });
    }
  }
}
