import { type BrandSummary, listBrandSummaries } from '@bv/contract';
import { callRpc, newestBrandsRpc, RpcUnavailable } from '@bv/events';
import { type Route, route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { type Context, getToday } from '../context.ts';
import { type BrandSummaryRow, listBrandSummaryRows } from '../db/brand-summaries.ts';
import { listBrandsByIds } from '../db/brands.ts';
import { computeChange } from '../domain/formulas.ts';
import { fetchBrand } from './projections.ts';

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

/**
 * Fetches own brands whose events have not arrived yet, so that the list of an organisation shows a brand that was just
 * created. If the catalog does not reply, the list contains only the brands of the projection.
 */
async function syncNewBrands(ctx: Context, orgId: string): Promise<void> {
  try {
    const newest = await callRpc(ctx.nats, newestBrandsRpc, { org_id: orgId });
    const projected = new Set((await listBrandsByIds(ctx.pool, newest)).map(({ id }) => id));
    for (const id of newest) if (!projected.has(id)) await fetchBrand(ctx, id);
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
  }
}
