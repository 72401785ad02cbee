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
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { ensureOrg } from '../commands/ensure-org.ts';
import { mintOrgKey, mintPartnerKey } from '../commands/mint-key.ts';
import type { Context } from '../context.ts';
import { getMonth, listOrgKeys, listPartnerKeys, listUsage, updateKeyRevoked } from '../db/api-keys.ts';
import type { UsageRow } from '../db/api-keys.ts';
import { findPartner } from '../db/partners.ts';
import { monthText } from '../domain/quota.ts';
import { presentApiKey, presentMintedKey } from './present.ts';

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

/** Takes effect with the commit, because every request reads its key from the database. */
export function operatorRevokeKeyRoute({ pool }: Context): Route {
  return route(operatorRevokeKey, async ({ params }) => {
    const revoked = await updateKeyRevoked(pool, params.keyId);
    if (!revoked) throw new ApiError('not_found');
    return { data: { id: params.keyId, deleted: true } };
  });
}

export function operatorListUsageRoute({ pool, cursors, usage }: Context): Route {
  return route(operatorListUsage, async ({ query }) => {
    const page = parsePage(cursors, { operation: operatorListUsage.id, collection: [] }, query);
    // Includes requests that this gateway has counted but not written yet.
    await usage.flush();
    const month = await getMonth(pool);
    const rows = await listUsage(pool, { month, afterId: toIdPosition(page), limit: page.limit + 1 });
    return buildPage(cursors, page, { rows, toSortKey, present: (row) => presentUsage(row, month) });
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
