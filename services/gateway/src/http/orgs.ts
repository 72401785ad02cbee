import { ApiError, listOrgs, updateLink } from '@bv/contract';
import { route, processOnce } from '@bv/http';
import type { Caller, Route } from '@bv/http';
import { buildPage, parsePage, toIdPosition } from '@bv/pagination';
import type { Context } from '../context.ts';
import { findOrgAccess } from '../db/org-access.ts';
import { listLinkedOrgs, updateLinkExternalRef } from '../db/partner-links.ts';
import { publishLink } from '../publish/publish.ts';
import { presentLinkedOrg, presentOwnOrg } from './present.ts';

export function listOrgsRoute(ctx: Context): Route {
  return route(listOrgs, async ({ query, caller }) => {
    const { owner } = caller;
    // A cursor belongs to the owner of the key, not to the key.
    const list = { operation: listOrgs.id, collection: [owner.kind, owner.id] };
    const page = parsePage(ctx.cursors, list, query);
    if (owner.kind === 'organisation') return listOwnOrg(ctx, caller);
    const rows = await listLinkedOrgs(ctx.pool, {
      partnerId: owner.id,
      afterId: toIdPosition(page),
      limit: page.limit + 1,
    });
    return buildPage(ctx.cursors, page, {
      rows,
      toSortKey: ({ org_id }) => [org_id],
      present: presentLinkedOrg,
    });
  });
}

async function listOwnOrg({ pool }: Context, { owner }: Caller) {
  const row = await findOrgAccess(pool, owner.id);
  const data = row === undefined || row.deleted ? [] : [presentOwnOrg(row)];
  return { data, pagination: { next_cursor: null, has_more: false } };
}

export function updateLinkRoute({ pool }: Context): Route {
  return route(updateLink, async ({ params, body, caller }) => {
    return processOnce(pool, caller, updateLink, async (tx) => {
      const id = { partnerId: caller.owner.id, orgId: params.orgId };
      const link = await updateLinkExternalRef(tx, id, body.external_ref);
      const org = await findOrgAccess(tx, params.orgId);
      // The link was revoked after the edge had checked the request.
      if (link === undefined || org === undefined || org.deleted) throw new ApiError('not_found');
      await publishLink(tx, link);
      return { data: presentLinkedOrg({ ...org, scope: link.scope, external_ref: link.external_ref }) };
    });
  });
}
