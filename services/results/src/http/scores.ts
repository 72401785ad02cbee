import { listScores, maxWindowDays, type Score } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import { type Context, getToday } from '../context.ts';
import { listScoreRows, type ScoreRow } from '../db/scores.ts';
import { computeChange } from '../domain/formulas.ts';
import { findOwnBrand } from './projections.ts';

export function listScoresRoute(ctx: Context): Route {
  return route(listScores, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listScores.id,
        collection: [brand.org_id, brand.id],
        filters: { country: query.country },
        seriesFilters: ['country'],
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const rows = await listScoreRows(ctx.pool, {
      brandId: brand.id,
      country: page.filters.country ?? '',
      ...page.window,
      before: page.sort === null ? null : String(page.sort[0]),
      limit: page.limit + 1,
    });
    return buildPage(ctx.cursors, page, {
      rows,
      toSortKey: (row) => [row.run_date],
      present: (row) => present(brand.id, row),
    });
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
