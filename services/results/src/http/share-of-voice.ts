import { listShareOfVoice, maxWindowDays } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { listShareRows } from '../db/share-of-voice.ts';
import { findOwnBrand } from './projections.ts';
import { parsePage, buildPage, type PageRequest } from './pagination.ts';

export function listShareOfVoiceRoute(ctx: Context): Route {
  return route(listShareOfVoice, async ({ params, query, caller }) => {
    const brand = await findOwnBrand(ctx, caller.orgId, params.brandId);
    const pageRequest = parsePage(ctx, {
      operation: listShareOfVoice.id,
      collection: [brand.org_id, brand.id],
      query,
      maxDays: maxWindowDays.standard,
    });
    const rows = await listShareRows(ctx.pool, {
      brandId: brand.id,
      platform: pageRequest.filters.platform ?? '',
      country: pageRequest.filters.country ?? '',
      ...pageRequest.window,
      after: parsePosition(pageRequest),
      limit: query.limit + 1,
    });
    const page = buildPage(ctx, pageRequest, {
      rows,
      limit: query.limit,
      sortKey: (row) => [row.run_date, row.rank, row.brand_id],
    });
    return { data: page.rows, pagination: page.pagination };
  });
}

function parsePosition({ sort }: PageRequest) {
  if (sort === null) return null;
  return { runDate: String(sort[0]), rank: Number(sort[1]), brandId: String(sort[2]) };
}
