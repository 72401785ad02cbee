import { type Pool, transaction } from '@bv/postgres';
import { lockBrandToken } from '../db/brand-tokens.ts';
import { deleteUnscoredDay, listUnscoredDays, type UnscoredDay } from '../db/unscored-days.ts';
import { changeBrandToken, type TokenEvent, type TokenEvents } from '../events/publish.ts';
import { scoreDay } from './score-day.ts';

const pageSize = 5_000;
/** Brands that are scored concurrently, well below the pool size. The token lock serialises the days of one brand. */
const maxConcurrentBrands = 3;

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
 * Scores every unscored day, also those of imports whose process ended early. Returns the event of the last change
 * token of each brand.
 */
export async function scoreUnscoredDays(pool: Pool, signal?: AbortSignal): Promise<TokenEvents> {
  const tokenEvents: TokenEvents = new Map();
  let after: UnscoredDay | null = null;
  do {
    const days: UnscoredDay[] = await listUnscoredDays(pool, { after, limit: pageSize });
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
