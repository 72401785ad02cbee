import { type BrandSummary, listBrandSummaries } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { type BrandSummaryRow, listBrandSummaryRows } from '../db/brand-summaries.ts';
import { computeChange } from '../domain/score.ts';
import { syncNewBrands } from './sync-new-brands.ts';
import { getToday } from './pagination.ts';

const present = (row: BrandSummaryRow): BrandSummary => ({
  ...row,
  score_change: computeChange(row.score, row.previous_score),
});

export const listBrandSummariesRoute = (ctx: Context) =>
  route(listBrandSummaries, async ({ params, query }) => {
    const cursorScope = { operation: listBrandSummaries.id, collection: [params.orgId], filters: {} };
    const after =
      query.cursor === undefined
        ? null
        : String(readCursor(ctx.cursors, { ...cursorScope, cursor: query.cursor }).sort[0]);
    await syncNewBrands(ctx, params.orgId);
    const rows = await listBrandSummaryRows(ctx.pool, {
      orgId: params.orgId,
      after,
      today: getToday(ctx),
      limit: query.limit + 1,
    });
    const data = rows.slice(0, query.limit).map(present);
    const last = data.at(-1);
    const hasMore = rows.length > query.limit && last !== undefined;
    const next_cursor = hasMore ? ctx.cursors.encode({ ...cursorScope, sort: [last.id] }) : null;
    return { data, pagination: { next_cursor, has_more: hasMore } };
  });
