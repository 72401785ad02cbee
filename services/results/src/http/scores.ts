import { listScores, maxWindowDays, type Score } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { listScoreRows, type ScoreRow } from '../db/scores.ts';
import { computeChange } from '../domain/formulas.ts';
import { findOwnBrand } from './projections.ts';
import { parsePage, buildPage } from './pagination.ts';

export function listScoresRoute(ctx: Context): Route {
  return route(listScores, async ({ params, query, caller }) => {
    const brand = await findOwnBrand(ctx, caller.orgId, params.brandId);
    const pageRequest = parsePage(ctx, {
      operation: listScores.id,
      collection: [brand.org_id, brand.id],
      query,
      maxDays: maxWindowDays.standard,
      seriesFilters: ['country'],
    });
    const rows = await listScoreRows(ctx.pool, {
      brandId: brand.id,
      country: pageRequest.filters.country ?? '',
      ...pageRequest.window,
      before: pageRequest.sort === null ? null : String(pageRequest.sort[0]),
      limit: query.limit + 1,
    });
    const page = buildPage(ctx, pageRequest, { rows, limit: query.limit, sortKey: (row) => [row.run_date] });
    return { data: page.rows.map((row) => present(brand.id, row)), pagination: page.pagination };
  });
}

function present(brandId: string, row: ScoreRow): Score {
  const { previous_sentiment: _, country, ...rest } = row;
  return {
    ...rest,
    brand_id: brandId,
    country: country === '' ? null : country,
    change: computeChange(row.score, row.previous_score),
    platforms: row.platforms as Score['platforms'],
  };
}
