import { linkCompetitor, unlinkCompetitor } from '@bv/contract';
import { route, processOnce } from '@bv/http';
import { addCompetitor, removeCompetitor } from '../commands/competitors.ts';
import type { Context } from '../context.ts';
import { loadCommonWords } from './common-words.ts';
import { presentLinkedCompetitor } from './present.ts';

export const linkCompetitorRoute = (ctx: Context) =>
  route(linkCompetitor, ({ params, body, caller }) =>
    processOnce(ctx.pool, caller, linkCompetitor, async (tx) => {
      const linked = await addCompetitor(tx, { ...params, competitor: body });
      return { data: presentLinkedCompetitor(linked, await loadCommonWords(ctx, tx, params.orgId)) };
    }),
  );

export const unlinkCompetitorRoute = ({ pool }: Context) =>
  route(unlinkCompetitor, ({ params, caller }) =>
    processOnce(pool, caller, unlinkCompetitor, async (tx) => {
      await removeCompetitor(tx, params);
      return { data: { id: params.competitorId, deleted: true as const } };
    }),
  );
