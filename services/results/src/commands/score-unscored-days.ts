import { type Pool, transaction } from '@bv/postgres';
import { lockBrandToken, moveBrandToken } from '../db/brand-tokens.ts';
import { deleteUnscoredDay, listUnscoredDays, type UnscoredDay } from '../db/unscored-days.ts';
import { publishBrandChanged } from '../events/publish.ts';
import { scoreDay } from './score-day.ts';

const PAGE = 5_000;
/** Brands scored at the same time, well below the pool; the days of one brand follow each other by its token. */
const CONCURRENCY = 3;

/** Scores one noted day, unless another process did so while this one waited for the brand. */
function scoreUnscoredDay(pool: Pool, day: UnscoredDay): Promise<void> {
  return transaction(pool, async (tx) => {
    const brand = await lockBrandToken(tx, day.brand_id);
    if (brand === undefined || (await deleteUnscoredDay(tx, day)) === 0) return;
    await scoreDay(tx, day.brand_id, day.run_date);
    const token = await moveBrandToken(tx, { id: day.brand_id, orgId: brand.org_id });
    await publishBrandChanged(tx, { brandId: day.brand_id, orgId: brand.org_id, token });
  });
}

/** Scores every noted day, also those an import left behind whose process ended. */
export async function scoreUnscoredDays(pool: Pool, signal?: AbortSignal): Promise<void> {
  let after: UnscoredDay | null = null;
  do {
    const days: UnscoredDay[] = await listUnscoredDays(pool, { after, limit: PAGE });
    const brands = Map.groupBy(days, (day) => day.brand_id).values();
    const worker = async (): Promise<void> => {
      for (const ofBrand of brands) {
        for (const day of ofBrand) if (signal?.aborted !== true) await scoreUnscoredDay(pool, day);
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (signal?.aborted === true) return;
    after = days.at(-1) ?? null;
  } while (after !== null);
}
