import { compareScores, resolveComparedWindows } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { readComparisons } from '../commands/compare-windows.ts';
import { type Context, getToday } from '../context.ts';
import { toScoreComparison } from '../domain/score-comparison.ts';
import { findOwnBrand } from './projections.ts';

export function compareScoresRoute(ctx: Context): Route {
  return route(compareScores, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const { metric, confidence, country = null, platform = null } = query;
    const windows = resolveComparedWindows(query, getToday(ctx));
    const series = {
      brandIds: [brand.id],
      countries: country === null ? null : [country],
      platforms: platform === null ? null : [platform],
    };
    const compare = await transaction(
      ctx.pool,
      (tx) => readComparisons(tx, series, { ...windows, metric, confidence }),
      { isolation: 'repeatable read', readOnly: true },
    );
    return { data: toScoreComparison({ metric, country, platform }, windows, compare(brand.id)) };
  });
}
