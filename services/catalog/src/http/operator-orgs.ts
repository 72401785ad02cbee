import {
  ApiError,
  operatorCreateOrg,
  operatorDeleteOrg,
  operatorGetOrg,
  operatorListOrgs,
  operatorListTiers,
  operatorPurgeOrg,
  operatorUpdateOrg,
} from '@bv/contract';
import { route } from '@bv/http';
import { buildPage, parsePage, toIdPosition, zeroUuid } from '@bv/pagination';
import { transaction } from '@bv/postgres';
import { addOrg, changeOrg, removeOrg, requestPurge } from '../commands/orgs.ts';
import type { Context } from '../context.ts';
import { findOrg, listOrgs, listTiers, type OrgRow } from '../db/orgs.ts';
import { readUsage } from './orgs.ts';
import { presentOperatorOrg } from './present.ts';

export const operatorListTiersRoute = ({ pool, cursors }: Context) =>
  route(operatorListTiers, async ({ query }) => {
    const page = parsePage(cursors, { operation: operatorListTiers.id, collection: [] }, query);
    const rows = await listTiers(pool, String(page.sort?.[0] ?? ''), page.limit + 1);
    return buildPage(cursors, page, { rows, toSortKey: ({ name }) => [name], present: (tier) => tier });
  });

export const operatorCreateOrgRoute = ({ pool }: Context) =>
  route(operatorCreateOrg, async ({ body }) => {
    const { org, eventIds } = await transaction(pool, (tx) => addOrg(tx, body));
    return { data: presentOperatorOrg(org), eventIds };
  });

export const operatorListOrgsRoute = ({ pool, cursors }: Context) =>
  route(operatorListOrgs, async ({ query }) => {
    const page = parsePage(cursors, { operation: operatorListOrgs.id, collection: [] }, query);
    const rows = await listOrgs(pool, toIdPosition(page) ?? zeroUuid, page.limit + 1);
    const toSortKey = ({ id }: OrgRow): string[] => [id];
    return buildPage(cursors, page, { rows, toSortKey, present: presentOperatorOrg });
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

export const operatorPurgeOrgRoute = ({ pool }: Context) =>
  route(operatorPurgeOrg, async ({ params: { orgId } }) => {
    const { requestedAt, eventIds } = await transaction(pool, (tx) => requestPurge(tx, orgId));
    return { data: { org_id: orgId, requested_at: requestedAt }, eventIds };
  });
