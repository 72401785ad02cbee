import { listMentions, type Mention, maxWindowDays } from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, parseWindowedPage } from '@bv/pagination';
import { type Context, getToday } from '../context.ts';
import { hasUnits, listMentionRows, type MentionRow } from '../db/unit-lists.ts';
import { readConsistentPage, toUnitPage } from './consistent-page.ts';
import { findOwnBrand } from './projections.ts';

export function listMentionsRoute(ctx: Context): Route {
  return route(listMentions, async ({ params, query }) => {
    const brand = await findOwnBrand(ctx, params);
    const page = parseWindowedPage(
      ctx.cursors,
      {
        operation: listMentions.id,
        collection: [brand.org_id, brand.id],
        filters: { platform: query.platform, country: query.country },
        today: getToday(ctx),
        maxDays: maxWindowDays.standard,
      },
      query,
    );
    const { result, token } = await readConsistentPage(
      ctx,
      { page, brandId: brand.id, preferIndexScan: true },
      async (tx, kept) => {
        const unitPage = toUnitPage(page, kept);
        return (await hasUnits(tx, brand.id, unitPage)) ? listMentionRows(tx, brand.id, unitPage) : [];
      },
    );
    return buildPage(ctx.cursors, page, { rows: result, toSortKey, present, token });
  });
}

function toSortKey([id, , runDate, , , finalizedAt]: MentionRow): string[] {
  return [runDate, finalizedAt, id];
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
