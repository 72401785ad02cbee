import { listMentions, type Mention, maxWindowDays } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import * as mentions from '../db/mentions.ts';
import { findOwnBrand } from './find-own-brand.ts';
import { unitKeyOf, unitSortKey } from './unit-key.ts';
import { openWalk, pageOf, readUnderToken } from './walk.ts';

function present({ id: _, ...row }: mentions.MentionRow): Mention {
  return row as Mention;
}

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
    const page = pageOf(ctx, walk, { rows: result, limit: query.limit, token, sortKey: unitSortKey });
    return { data: page.rows.map(present), pagination: page.pagination };
  });
