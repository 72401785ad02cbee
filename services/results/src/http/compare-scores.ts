import { compareScores, type DateWindow, resolveComparedWindows, type ScoreComparison } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { transaction } from '@bv/postgres';
import type { Comparison } from '@bv/statistics';
import { compareWindows } from '../commands/compare-windows.ts';
import { type Context, getToday } from '../context.ts';
import { round2 } from '../domain/formulas.ts';
import { findOwnBrand } from './projections.ts';

export function compareScoresRoute(ctx: Context): Route {
  return route(compareScores, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const { metric, country = null, platform = null } = query;
    const windows = resolveComparedWindows(query, getToday(ctx));
    const comparison = await transaction(
      ctx.pool,
      (tx) => compareWindows(tx, { brandId: brand.id, country, platform }, { ...windows, metric }),
      { isolation: 'repeatable read', readOnly: true },
    );
    return { data: present({ metric, country, platform }, windows, comparison) };
  });
}

function present(
  series: Pick<ScoreComparison, 'metric' | 'country' | 'platform'>,
  windows: { a: DateWindow; b: DateWindow },
  { a, b, difference, verdict, reasons }: Comparison,
): ScoreComparison {
  const toFigures = (window: DateWindow, figures: Comparison['a']): ScoreComparison['a'] => ({
    ...window,
    ...figures,
    value: figures.value === null ? null : round2(figures.value),
  });
  return {
    ...series,
    a: toFigures(windows.a, a),
    b: toFigures(windows.b, b),
    difference: difference && {
      ...difference,
      value: round2(difference.value),
      low: round2(difference.low),
      high: round2(difference.high),
    },
    verdict,
    reasons,
  };
}
