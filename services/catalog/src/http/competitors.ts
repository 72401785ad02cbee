import { type LinkedCompetitor, linkCompetitor, unlinkCompetitor } from '@bv/contract';
import { route, processOnce } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { addCompetitor, type LinkedCompetitor as Linked, removeCompetitor } from '../commands/competitors.ts';
import type { Context } from '../context.ts';
import { readBrandDetail } from './brands.ts';
import { presentBrand } from './present.ts';

export const linkCompetitorRoute = (ctx: Context) =>
  route(linkCompetitor, ({ params, body, caller }) =>
    processOnce(ctx.pool, caller, linkCompetitor, async (tx) => {
      const linked = await addCompetitor(tx, { ...params, competitor: body });
      return { data: await readLinked(ctx, tx, { params, linked }) };
    }),
  );

/** The competitor with its warnings among the brands that are tracked together. */
async function readLinked(
  ctx: Context,
  tx: Transaction,
  { params, linked: { brand, reused } }: { params: { orgId: string; brandId: string }; linked: Linked },
): Promise<LinkedCompetitor> {
  const { competitors, last_scan_changed_at } = await readBrandDetail(ctx, tx, params);
  const competitor = competitors.find(({ id }) => id === brand.id);
  if (competitor === undefined) throw new Error('a competitor is not linked in its own transaction');
  return {
    ...presentBrand(brand),
    ...competitor,
    reused,
    reprocess_advised: last_scan_changed_at !== null,
  };
}

export const unlinkCompetitorRoute = ({ pool }: Context) =>
  route(unlinkCompetitor, ({ params, caller }) =>
    processOnce(pool, caller, unlinkCompetitor, async (tx) => {
      await removeCompetitor(tx, params);
      return { data: { id: params.competitorId, deleted: true as const } };
    }),
  );
