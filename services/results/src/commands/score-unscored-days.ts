import { type Pool, transaction } from '@bv/postgres';
import { lockBrandToken, moveBrandToken } from '../db/brand-tokens.ts';
import { deleteUnscoredDay, listUnscoredDays, type UnscoredDay } from '../db/unscored-days.ts';
import { publishBrandChanged } from '../events/publish.ts';
import type { TokenEvent, TokenEvents } from './ingest-units.ts';
import { scoreDay } from './score-day.ts';

const PAGE = 5_000;
/** Brands scored at the same time, well below the pool; the days of one brand follow each other by its token. */
const CONCURRENCY = 3;

/** Scores one noted day, unless another process did so while this one waited for the brand. Returns the event that tells. */
function scoreUnscoredDay(pool: Pool, day: UnscoredDay): Promise<TokenEvent | undefined> {
  return transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, day.brand_id);
    if (brand === undefined || (await deleteUnscoredDay(tx, day)) === 0) return undefined;
    await scoreDay(tx, day.brand_id, day.run_date);
    const token = await moveBrandToken(tx, { id: day.brand_id, orgId: brand.org_id });
    const eventId = await publishBrandChanged(tx, { brandId: day.brand_id, orgId: brand.org_id, token });
    return { version: token.version, eventId };
  });
}

/**
 * Scores every noted day, also those an import left behind whose process ended. Returns the event that tells the last
 * change token of each brand.
 */
export async function scoreUnscoredDays(pool: Pool, signal?: AbortSignal): Promise<TokenEvents> {
  const tokenEvents: TokenEvents = new Map();
  let after: UnscoredDay | null = null;
  do {
    const days: UnscoredDay[] = await listUnscoredDays(pool, { after, limit: PAGE });
    const brands = Map.groupBy(days, (day) => day.brand_id).values();
    const worker = async (): Promise<void> => {
      for (const ofBrand of brands) {
        for (const day of ofBrand) {
          const told = signal?.aborted === true ? undefined : await scoreUnscoredDay(pool, day);
          if (told !== undefined) tokenEvents.set(day.brand_id, told);
        }
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (signal?.aborted === true) return tokenEvents;
    after = days.at(-1) ?? null;
  } while (after !== null);
  return tokenEvents;
}
