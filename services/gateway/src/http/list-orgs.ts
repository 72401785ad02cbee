import { listOrgs } from '@bv/contract';
import { route } from '@bv/http';
import type { Caller } from '@bv/http';
import { findOrgAccess } from '../db/org-access.ts';
import { listLinkedOrgs } from '../db/partner-links.ts';
import type { OperationsContext } from './operations-context.ts';
import { parseAfterId, buildPage } from './page.ts';
import { presentLinkedOrg, presentOwnOrg } from './present.ts';

export const listOrgsRoute = (context: OperationsContext) =>
  route(listOrgs, async ({ query, caller }) => {
    const { owner } = caller;
    // A cursor belongs to the owner of the key, not to the key.
    const collection = { operation: listOrgs.id, collection: [owner.kind, owner.id] };
    const afterId = parseAfterId(context.cursors, query.cursor, collection);
    if (owner.kind === 'organisation') return listOwnOrg(context, caller);
    const { limit } = query;
    const found = await listLinkedOrgs(context.pool, { partnerId: owner.id, afterId, limit: limit + 1 });
    const page = { rows: found, limit, getId: (row: { org_id: string }) => row.org_id };
    const { rows, pagination } = buildPage(context.cursors, collection, page);
    return { data: rows.map(presentLinkedOrg), pagination };
  });

async function listOwnOrg({ pool }: OperationsContext, { owner }: Caller) {
  const row = await findOrgAccess(pool, owner.id);
  const data = row === undefined || row.deleted ? [] : [presentOwnOrg(row)];
  return { data, pagination: { next_cursor: null, has_more: false } };
}
