import {
  ApiError,
  operatorCreateOrgKey,
  operatorCreatePartnerKey,
  operatorGetKey,
  operatorListOrgKeys,
  operatorListPartnerKeys,
  operatorRevokeKey,
} from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { ensureOrg } from '../commands/ensure-org.ts';
import { mintOrgKey, mintPartnerKey } from '../commands/mint-key.ts';
import type { Context } from '../context.ts';
import { findKeyWithOwner, listOrgKeys, listPartnerKeys, updateKeyRevoked } from '../db/api-keys.ts';
import { findPartner } from '../db/partners.ts';
import { presentApiKey, presentKeyOwner, presentMintedKey } from './present.ts';

const toSortKey = ({ id }: { id: string }): string[] => [id];

export function operatorCreateOrgKeyRoute(ctx: Context): Route {
  return route(operatorCreateOrgKey, async ({ params, body }) => {
    await ensureOrg(ctx, params.orgId);
    return { data: presentMintedKey(await mintOrgKey(ctx, params.orgId, body)) };
  });
}

export function operatorListOrgKeysRoute(ctx: Context): Route {
  return route(operatorListOrgKeys, async ({ params: { orgId: ownerId }, query }) => {
    const list = { operation: operatorListOrgKeys.id, collection: [ownerId] };
    const page = parsePage(ctx.cursors, list, query);
    await ensureOrg(ctx, ownerId);
    const afterId = toIdPosition(page);
    const rows = await listOrgKeys(ctx.pool, { ownerId, afterId, limit: page.limit + 1 });
    return buildPage(ctx.cursors, page, { rows, toSortKey, present: presentApiKey });
  });
}

export function operatorCreatePartnerKeyRoute(ctx: Context): Route {
  return route(operatorCreatePartnerKey, async ({ params, body }) => {
    // Partners are never deleted, so the partner still exists when the key is inserted.
    if ((await findPartner(ctx.pool, params.partnerId)) === undefined) throw new ApiError('not_found');
    return { data: presentMintedKey(await mintPartnerKey(ctx, params.partnerId, body)) };
  });
}

export function operatorListPartnerKeysRoute({ pool, cursors }: Context): Route {
  return route(operatorListPartnerKeys, async ({ params: { partnerId: ownerId }, query }) => {
    const list = { operation: operatorListPartnerKeys.id, collection: [ownerId] };
    const page = parsePage(cursors, list, query);
    if ((await findPartner(pool, ownerId)) === undefined) throw new ApiError('not_found');
    const afterId = toIdPosition(page);
    const rows = await listPartnerKeys(pool, { ownerId, afterId, limit: page.limit + 1 });
    return buildPage(cursors, page, { rows, toSortKey, present: presentApiKey });
  });
}

export function operatorGetKeyRoute({ pool }: Context): Route {
  return route(operatorGetKey, async ({ params }) => {
    const found = await findKeyWithOwner(pool, params.keyId);
    if (found === undefined) throw new ApiError('not_found');
    const { org_id, partner_id, owner_name, ...row } = found;
    return { data: { ...presentApiKey(row), ...presentKeyOwner({ org_id, partner_id, owner_name }) } };
  });
}

/** Takes effect with the commit, because every request reads its key from the database. */
export function operatorRevokeKeyRoute({ pool }: Context): Route {
  return route(operatorRevokeKey, async ({ params }) => {
    const revoked = await updateKeyRevoked(pool, params.keyId);
    if (!revoked) throw new ApiError('not_found');
    return { data: { id: params.keyId, deleted: true } };
  });
}
