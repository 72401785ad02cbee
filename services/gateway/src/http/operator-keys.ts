import {
  ApiError,
  operatorCreateOrgKey,
  operatorCreatePartnerKey,
  operatorListOrgKeys,
  operatorListPartnerKeys,
  operatorListUsage,
  operatorRevokeKey,
} from '@bv/contract';
import type { KeyUsage } from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { ensureOrg } from '../commands/ensure-org.ts';
import { mintOrgKey, mintPartnerKey } from '../commands/mint-key.ts';
import type { Context } from '../context.ts';
import { getMonth, listOrgKeys, listPartnerKeys, listUsage, updateKeyRevoked } from '../db/api-keys.ts';
import type { UsageRow } from '../db/api-keys.ts';
import { findPartner } from '../db/partners.ts';
import { monthText } from '../domain/quota.ts';
import { parseAfterId, buildPage } from './page.ts';
import { presentApiKey, presentMintedKey } from './present.ts';

const getId = ({ id }: { id: string }): string => id;

export function operatorCreateOrgKeyRoute(ctx: Context): Route {
  return route(operatorCreateOrgKey, async ({ params, body }) => {
    await ensureOrg(ctx, params.orgId);
    return { data: presentMintedKey(await mintOrgKey(ctx, params.orgId, body)) };
  });
}

export function operatorListOrgKeysRoute(ctx: Context): Route {
  return route(operatorListOrgKeys, async ({ params, query: { cursor, limit } }) => {
    const collection = { operation: operatorListOrgKeys.id, collection: [params.orgId] };
    const afterId = parseAfterId(ctx.cursors, cursor, collection);
    await ensureOrg(ctx, params.orgId);
    const found = await listOrgKeys(ctx.pool, { ownerId: params.orgId, afterId, limit: limit + 1 });
    const { rows, pagination } = buildPage(ctx.cursors, collection, { rows: found, limit, getId });
    return { data: rows.map(presentApiKey), pagination };
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
  return route(operatorListPartnerKeys, async ({ params, query: { cursor, limit } }) => {
    const collection = { operation: operatorListPartnerKeys.id, collection: [params.partnerId] };
    const afterId = parseAfterId(cursors, cursor, collection);
    if ((await findPartner(pool, params.partnerId)) === undefined) throw new ApiError('not_found');
    const found = await listPartnerKeys(pool, { ownerId: params.partnerId, afterId, limit: limit + 1 });
    const { rows, pagination } = buildPage(cursors, collection, { rows: found, limit, getId });
    return { data: rows.map(presentApiKey), pagination };
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

export function operatorListUsageRoute({ pool, cursors, usage }: Context): Route {
  return route(operatorListUsage, async ({ query: { cursor, limit } }) => {
    const collection = { operation: operatorListUsage.id, collection: [] };
    const afterId = parseAfterId(cursors, cursor, collection);
    // Includes requests that this gateway has counted but not written yet.
    await usage.flush();
    const month = await getMonth(pool);
    const found = await listUsage(pool, { month, afterId, limit: limit + 1 });
    const { rows, pagination } = buildPage(cursors, collection, { rows: found, limit, getId });
    return { data: rows.map((row) => presentUsage(row, month)), pagination };
  });
}

function presentUsage(row: UsageRow, month: number): KeyUsage {
  const owner =
    row.org_id === null
      ? { owner_kind: 'partner' as const, owner_id: row.partner_id ?? '' }
      : { owner_kind: 'organisation' as const, owner_id: row.org_id };
  return {
    key_id: row.id,
    key_prefix: row.key_prefix,
    ...owner,
    month: monthText(month),
    used: row.used,
    quota: row.monthly_quota,
  };
}
