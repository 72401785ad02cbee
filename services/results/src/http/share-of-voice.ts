import { listShareOfVoice, maxWindowDays } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, type PageRequest, parseWindowedPage } from '@bv/pagination';
import { type Context, getToday } from '../context.ts';
import { listShareRows } from '../db/share-of-voice.ts';
import { findOwnBrand } from './projections.ts';

export function listShareOfVoiceRoute(ctx: Context): Route {
  return route(listShareOfVoice, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listShareOfVoice.id,
        collection: [brand.org_id, brand.id],
        filters: { platform: query.platform, country: query.country },
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const rows = await listShareRows(ctx.pool, {
      brandId: brand.id,
      platform: page.filters.platform ?? '',
      country: page.filters.country ?? '',
      ...page.window,
      after: toPosition(page),
      limit: page.limit + 1,
    });
    return buildPage(ctx.cursors, page, {
      rows,
      toSortKey: (row) => [row.run_date, row.rank, row.brand_id],
      present: (row) => row,
    });
  });
}

function toPosition({ sort }: Pick<PageRequest, 'sort'>) {
  if (sort === null) return null;
  return { runDate: String(sort[0]), rank: Number(sort[1]), brandId: String(sort[2]) };
}
