import { unlinkCompetitor as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { unlinkCompetitor } from '../commands/unlink-competitor.ts';
import type { Context } from '../context.ts';

export const unlinkCompetitorRoute = ({ pool }: Context) =>
  route(operation, ({ params, caller }) =>
    runOnce(pool, caller, operation, async (tx) => {
      await unlinkCompetitor(tx, params);
      return { data: { id: params.competitorId, deleted: true as const } };
    }),
  );
