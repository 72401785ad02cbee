import { setImmediate } from 'node:timers/promises';
import { ApiError, type DateWindow, getChanges } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { type Transaction, transaction } from '@bv/postgres';
import type { ComparedBy } from '@bv/statistics';
import { readComparisons } from '../commands/compare-windows.ts';
import { type Context, getToday } from '../context.ts';
import { type ChangedBrand, listChangedBrands } from '../db/brand-summaries.ts';
import { type ComparedBrand, toBatches, toChanges } from '../domain/brand-changes.ts';
import { addDays } from '../domain/calendar.ts';
import { syncNewBrands } from './projections.ts';

const confidence = 0.95;
const maxBrands = 500;
const deadlineMs = 25_000;

export function getChangesRoute(ctx: Context): Route {
  return route(getChanges, async ({ params, query }) => {
    const { window_days, metric, country = null, fdr } = query;
    await syncNewBrands(ctx, params.orgId);
    const today = getToday(ctx);
    const windows = {
      a: { from: addDays(today, 1 - 2 * window_days), to: addDays(today, -window_days) },
      b: { from: addDays(today, 1 - window_days), to: today },
    };
    const compared = await transaction(
      ctx.pool,
      async (tx) => {
        const brands = await listChangedBrands(tx, { orgId: params.orgId, today, limit: maxBrands });
        return compareBrands(tx, brands, { ...windows, metric, confidence, country });
      },
      { isolation: 'repeatable read', readOnly: true },
    );
    return { data: toChanges({ window_days, metric, country, fdr }, windows, compared) };
  });
}

type ComparedWindows = { a: DateWindow; b: DateWindow; country: string | null } & ComparedBy;

async function compareBrands(
  tx: Transaction,
  brands: readonly ChangedBrand[],
  { country, ...windows }: ComparedWindows,
): Promise<ComparedBrand[]> {
  const compared: ComparedBrand[] = [];
  const deadline = performance.now() + deadlineMs;
  for (const some of toBatches(brands)) {
    if (performance.now() > deadline) throw new ApiError('api_unavailable');
    const series = {
      brandIds: some.map(({ id }) => id),
      countries: country === null ? null : [country],
      platforms: null,
    };
    const compare = await readComparisons(tx, series, windows);
    for (const { id, name, domain } of some) {
      // Other work of the process runs in between: a comparison of 40,000 cells takes 0.2 s.
      await setImmediate();
      compared.push({ brand: { id, name, domain }, comparison: compare(id) });
    }
  }
  return compared;
}
