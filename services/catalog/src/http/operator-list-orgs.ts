import { operatorListOrgs as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { listOrgs, type OrgRow } from '../db/orgs.ts';
import { presentOperatorOrg } from './present.ts';
import { buildPage, parsePage } from './pagination.ts';

const list = { operation: operation.id, collection: [], filters: {} };
const zeroUuid = '00000000-0000-0000-0000-000000000000';
const getSortKey = (org: OrgRow): string[] => [org.id];

export const operatorListOrgsRoute = ({ pool, cursors }: Context) =>
  route(operation, async ({ query: { cursor, limit } }) => {
    const { sort } = parsePage(cursors, list, cursor);
    const [after] = sort;
    const afterId = typeof after === 'string' ? after : zeroUuid;
    const rows = await listOrgs(pool, afterId, limit + 1);
    const page = buildPage(cursors, list, { rows, limit, getSortKey });
    return { data: page.rows.map(presentOperatorOrg), pagination: page.pagination };
  });
