import { type BrandSummary, listBrandSummaries } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { type Context, getToday } from '../context.ts';
import { type BrandSummaryRow, listBrandSummaryRows } from '../db/brand-summaries.ts';
import { computeChange } from '../domain/formulas.ts';
import { syncNewBrands } from './projections.ts';

export function listBrandSummariesRoute(ctx: Context): Route {
  return route(listBrandSummaries, async ({ params, query }) => {
    const list = { operation: listBrandSummaries.id, collection: [params.orgId] };
    const page = parsePage(ctx.cursors, list, query);
    await syncNewBrands(ctx, params.orgId);
    const rows = await listBrandSummaryRows(ctx.pool, {
      orgId: params.orgId,
      after: toIdPosition(page),
      today: getToday(ctx),
      limit: page.limit + 1,
    });
    return buildPage(ctx.cursors, page, { rows, toSortKey: (row) => [row.id], present });
  });
}

function present(row: BrandSummaryRow): BrandSummary {
  return { ...row, score_change: computeChange(row.score, row.previous_score) };
}
