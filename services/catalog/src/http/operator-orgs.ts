import {
  ApiError,
  operatorCreateOrg,
  operatorDeleteOrg,
  operatorGetOrg,
  operatorListOrgs,
  operatorUpdateOrg,
} from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { addOrg, changeOrg, removeOrg } from '../commands/orgs.ts';
import type { Context } from '../context.ts';
import { findOrg, listOrgs, type OrgRow } from '../db/orgs.ts';
import { readUsage } from './orgs.ts';
import { buildPage, parsePage } from './pagination.ts';
import { presentOperatorOrg } from './present.ts';

export const operatorCreateOrgRoute = ({ pool }: Context) =>
  route(operatorCreateOrg, async ({ body }) => {
    const { org, eventIds } = await transaction(pool, (tx) => addOrg(tx, body));
    return { data: presentOperatorOrg(org), eventIds };
  });

const list = { operation: operatorListOrgs.id, collection: [], filters: {} };
const zeroUuid = '00000000-0000-0000-0000-000000000000';
const getSortKey = (org: OrgRow): string[] => [org.id];

export const operatorListOrgsRoute = ({ pool, cursors }: Context) =>
  route(operatorListOrgs, async ({ query: { cursor, limit } }) => {
    const { sort } = parsePage(cursors, list, cursor);
    const [after] = sort;
    const afterId = typeof after === 'string' ? after : zeroUuid;
    const rows = await listOrgs(pool, afterId, limit + 1);
    const page = buildPage(cursors, list, { rows, limit, getSortKey });
    return { data: page.rows.map(presentOperatorOrg), pagination: page.pagination };
  });

export const operatorGetOrgRoute = (ctx: Context) =>
  route(operatorGetOrg, async ({ params: { orgId } }) => {
    const org = await findOrg(ctx.pool, orgId);
    if (!org) throw new ApiError('not_found');
    return { data: { ...presentOperatorOrg(org), usage: await readUsage(ctx, org) } };
  });

export const operatorUpdateOrgRoute = ({ pool }: Context) =>
  route(operatorUpdateOrg, async ({ params: { orgId }, body }) => {
    const { org, eventIds } = await transaction(pool, (tx) => changeOrg(tx, orgId, body));
    return { data: presentOperatorOrg(org), eventIds };
  });

export const operatorDeleteOrgRoute = ({ pool }: Context) =>
  route(operatorDeleteOrg, async ({ params: { orgId } }) => {
    const { eventIds } = await transaction(pool, (tx) => removeOrg(tx, orgId));
    return { data: { id: orgId, deleted: true }, eventIds };
  });
