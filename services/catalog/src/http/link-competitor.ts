import { linkCompetitor as operation } from '@bv/contract';
import { route, runOnce } from '@bv/http';
import { linkCompetitor } from '../commands/link-competitor.ts';
import type { Context } from '../context.ts';
import { presentBrand } from './present.ts';

export const linkCompetitorRoute = ({ pool }: Context) =>
  route(operation, ({ params, body, caller }) =>
    runOnce(pool, caller, operation, async (tx) => {
      const { brand, reused } = await linkCompetitor(tx, { ...params, competitor: body });
      return { data: { ...presentBrand(brand), reused } };
    }),
  );
