import {
  ApiError,
  operatorDeleteLink,
  operatorListOrgLinks,
  operatorListPartnerLinks,
  operatorPutLink,
} from '@bv/contract';
import { route } from '@bv/http';
import type { Route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import { transaction } from '@bv/postgres';
import { ensureOrg } from '../commands/ensure-org.ts';
import type { Context } from '../context.ts';
import { lockOrgAccess } from '../db/org-access.ts';
import { listOrgLinks, listPartnerLinks, updateLinkRevoked, upsertLink } from '../db/partner-links.ts';
import { findPartner } from '../db/partners.ts';
import { publishLink } from '../publish/publish.ts';
import { presentNamedLink, presentPartnerLink } from './present.ts';

export function operatorPutLinkRoute(ctx: Context): Route {
  return route(operatorPutLink, async ({ params, body }) => {
    const { pool } = ctx;
    if ((await findPartner(pool, params.partnerId)) === undefined) throw new ApiError('not_found');
    await ensureOrg(ctx, params.orgId);
    return transaction(pool, async (tx) => {
      const org = await lockOrgAccess(tx, params.orgId);
      if (org === undefined || org.deleted) throw new ApiError('not_found');
      const link = await upsertLink(tx, { ...params, scope: body.scope, externalRef: body.external_ref });
      return { data: presentPartnerLink(link), eventIds: [await publishLink(tx, link)] };
    });
  });
}

export function operatorDeleteLinkRoute({ pool }: Context): Route {
  return route(operatorDeleteLink, async ({ params }) => {
    return transaction(pool, async (tx) => {
      const link = await updateLinkRevoked(tx, params);
      if (link === undefined) throw new ApiError('not_found');
      const data = { id: link.org_id, deleted: true as const };
      return { data, eventIds: [await publishLink(tx, link)] };
    });
  });
}

export function operatorListPartnerLinksRoute({ pool, cursors }: Context): Route {
  return route(operatorListPartnerLinks, async ({ params: { partnerId: ownerId }, query }) => {
    const list = { operation: operatorListPartnerLinks.id, collection: [ownerId] };
    const page = parsePage(cursors, list, query);
    if ((await findPartner(pool, ownerId)) === undefined) throw new ApiError('not_found');
    const afterId = toIdPosition(page);
    const rows = await listPartnerLinks(pool, { ownerId, afterId, limit: page.limit + 1 });
    return buildPage(cursors, page, { rows, toSortKey: ({ org_id }) => [org_id], present: presentNamedLink });
  });
}

export function operatorListOrgLinksRoute(ctx: Context): Route {
  return route(operatorListOrgLinks, async ({ params: { orgId: ownerId }, query }) => {
    const list = { operation: operatorListOrgLinks.id, collection: [ownerId] };
    const page = parsePage(ctx.cursors, list, query);
    await ensureOrg(ctx, ownerId);
    const afterId = toIdPosition(page);
    const rows = await listOrgLinks(ctx.pool, { ownerId, afterId, limit: page.limit + 1 });
    const toSortKey = ({ partner_id }: { partner_id: string }): string[] => [partner_id];
    return buildPage(ctx.cursors, page, { rows, toSortKey, present: presentNamedLink });
  });
}
