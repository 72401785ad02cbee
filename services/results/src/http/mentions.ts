import { listMentions, type Mention, maxWindowDays } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { hasUnits, listMentionRows, type MentionRow } from '../db/unit-lists.ts';
import { findOwnBrand } from './projections.ts';
import { buildPage, parsePage, parseUnitPosition, readConsistentPage, toSqlFilters } from './pagination.ts';

export function listMentionsRoute(ctx: Context): Route {
  return route(listMentions, async ({ params, query, caller }) => {
    const brand = await findOwnBrand(ctx, caller.orgId, params.brandId);
    const pageRequest = parsePage(ctx, {
      operation: listMentions.id,
      collection: [brand.org_id, brand.id],
      query,
      maxDays: maxWindowDays.standard,
    });
    const filters = toSqlFilters(pageRequest);
    const { result, token } = await readConsistentPage(
      ctx,
      { pageRequest, brandId: brand.id, preferIndexScan: true },
      async (tx) => {
        if (!(await hasUnits(tx, brand.id, filters))) return [];
        const after = parseUnitPosition(pageRequest);
        return listMentionRows(tx, brand.id, {
          ...pageRequest.window,
          ...filters,
          after,
          limit: query.limit + 1,
        });
      },
    );
    const page = buildPage(ctx, pageRequest, { rows: result, limit: query.limit, token, sortKey });
    return { data: page.rows.map(present), pagination: page.pagination };
  });
}

function present(row: MentionRow): Mention {
  const [, prompt_id, run_date, platform, country, finalized_at, mentioned, position, sentiment] = row;
  return {
    prompt_id,
    run_date,
    platform: platform as Mention['platform'],
    country,
    finalized_at,
    mentioned,
    position,
    sentiment,
  };
}

const sortKey = ([id, , runDate, , , finalizedAt]: MentionRow): string[] => [runDate, finalizedAt, id];
