import { listMentions, type Mention, maxWindowDays } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import * as mentions from '../db/mentions.ts';
import { findOwnBrand } from './find-own-brand.ts';
import { unitKeyOf } from './unit-key.ts';
import { openWalk, pageOf, readUnderToken } from './walk.ts';

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
    const { result, token } = await readUnderToken(ctx, walk, brand.id, (tx) =>
      mentions.listMentions(tx, brand.id, {
        ...walk.window,
        platform: walk.filters.platform ?? null,
        country: walk.filters.country ?? null,
        after: unitKeyOf(walk),
        limit: query.limit + 1,
      }),
    );
    const page = pageOf(ctx, walk, { rows: result, limit: query.limit, token, sortKey });
    return { data: page.rows.map(present), pagination: page.pagination };
  });
