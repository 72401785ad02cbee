import { listMentions, type Mention, maxWindowDays } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { hasUnits } from '../db/unit-markets.ts';
import * as mentions from '../db/mentions.ts';
import { findOwnBrand } from './find-own-brand.ts';
import { unitKeyOf } from './unit-key.ts';
import { filtersOf, openWalk, pageOf, readUnderToken } from './walk.ts';

function present(row: mentions.MentionRow): Mention {
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

const sortKey = ([id, , runDate, , , finalizedAt]: mentions.MentionRow): string[] => [
  runDate,
  finalizedAt,
  id,
];

export const listMentionsRoute = (ctx: Context) =>
  route(listMentions, async ({ params, query, caller }) => {
    const brand = await findOwnBrand(ctx, caller.orgId, params.brandId);
    const walk = openWalk(ctx, {
      operation: listMentions.id,
      collection: [brand.org_id, brand.id],
      query,
      maxDays: maxWindowDays.standard,
    });
    const filters = filtersOf(walk);
    const { result, token } = await readUnderToken(
      ctx,
      { walk, brandId: brand.id, inIndexOrder: true },
      async (tx) => {
        if (!(await hasUnits(tx, brand.id, filters))) return [];
        const after = unitKeyOf(walk);
        return mentions.listMentions(tx, brand.id, {
          ...walk.window,
          ...filters,
          after,
          limit: query.limit + 1,
        });
      },
    );
    const page = pageOf(ctx, walk, { rows: result, limit: query.limit, token, sortKey });
    return { data: page.rows.map(present), pagination: page.pagination };
  });
