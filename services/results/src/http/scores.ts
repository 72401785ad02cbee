import { listScores, maxWindowDays, type Score, type ScoreWindow } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import type { Paged } from '@bv/postgres';
import { haveSetsChanged } from '@bv/statistics';
import { type Context, getToday } from '../context.ts';
import type { DayModel } from '../db/day-sums.ts';
import { listScoreRows, type ScoreRow } from '../db/scores.ts';
import { listWindowScoreRows, type WindowDays, type WindowScoreRow } from '../db/window-scores.ts';
import { computeChange } from '../domain/formulas.ts';
import { findOwnBrand } from './projections.ts';

const daysByWindow: Record<Exclude<ScoreWindow, 'day'>, WindowDays> = { '7d': 7, '28d': 28 };

export function listScoresRoute(ctx: Context): Route {
  return route(listScores, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    // A first page always stores its window, so that a later page with another one is recognised.
    const window = query.cursor === undefined ? (query.window ?? 'day') : query.window;
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listScores.id,
        collection: [brand.org_id, brand.id],
        filters: { country: query.country, window },
        seriesFilters: ['country'],
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const request = {
      brandId: brand.id,
      country: page.filters.country ?? '',
      ...page.window,
      before: page.sort === null ? null : String(page.sort[0]),
      limit: page.limit + 1,
    };
    const paging = { toSortKey: (row: { run_date: string }) => [row.run_date] };
    const { window: pooled = 'day' } = page.filters;
    if (pooled === 'day') {
      const rows = await listScoreRows(ctx.pool, request);
      return buildPage(ctx.cursors, page, { ...paging, rows, present: (row) => presentDay(brand.id, row) });
    }
    const rows = await listWindowScoreRows(ctx.pool, { ...request, windowDays: daysByWindow[pooled] });
    return buildPage(ctx.cursors, page, {
      ...paging,
      rows,
      present: (row) => ({ ...present(brand.id, row), window: pooled }),
    });
  });
}

const presentDay = (brandId: string, { previous_sentiment: _, ...row }: Paged<ScoreRow>): Score =>
  present(brandId, row);

type PresentedRow = Paged<Omit<ScoreRow, 'previous_sentiment'>> &
  Partial<Pick<WindowScoreRow, 'units_effective'>>;

function present(
  brandId: string,
  { country, previous_models: previousModels, has_next: _, ...row }: PresentedRow,
): Score {
  return {
    ...row,
    brand_id: brandId,
    country: country === '' ? null : country,
    change: computeChange(row.score, row.previous_score),
    platforms: row.platforms as Score['platforms'],
    models: row.models as Score['models'],
    model_changed: previousModels === null ? null : haveSetsChanged(previousModels, row.models, servedModels),
  };
}

const servedModels = {
  toGroup: ({ platform }: DayModel) => platform,
  toValues: ({ model }: DayModel) => (model === null ? [] : [model]),
};
