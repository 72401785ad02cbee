import { operatorListAnswers } from '@bv/contract';
import { callRpc, listAnswersRpc } from '@bv/events';
import { route } from '@bv/http';
import { buildPage, parsePage, toIdPosition, zeroUuid } from '@bv/pagination';
import type { Context } from '../context.ts';
import { listOrgs } from '../db/orgs.ts';

export const operatorListAnswersRoute = ({ pool, nats, cursors, now }: Context) =>
  route(operatorListAnswers, async ({ query: { month: sent, ...query } }) => {
    const current = now().toISOString().slice(0, 7);
    // Every page is of the month of the first, also after the month has ended.
    const filters = { month: query.cursor === undefined ? (sent ?? current) : sent };
    const list = { operation: operatorListAnswers.id, collection: [], filters };
    const page = parsePage(cursors, list, query);
    const { month = current } = page.filters;
    const orgs = await listOrgs(pool, toIdPosition(page) ?? zeroUuid, page.limit + 1);
    const answers = await callRpc(nats, listAnswersRpc, { month, org_ids: orgs.map(({ id }) => id) });
    const byOrg = new Map(answers.map(({ org_id, ...usage }) => [org_id, usage]));
    return buildPage(cursors, page, {
      rows: orgs,
      toSortKey: ({ id }) => [id],
      present: ({ id, name }) => ({
        org_id: id,
        org_name: name,
        month,
        ...(byOrg.get(id) ?? { units: 0, cost_usd: 0 }),
      }),
    });
  });
