import { ApiError, listSubscriptions } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { findEndpoint } from '../db/endpoints.ts';
import { listSubscriptions as listRows } from '../db/subscriptions.ts';
import { toPage } from './page.ts';
import { requirePartnerId } from './partner.ts';
import { presentSubscription } from './present.ts';

export function listSubscriptionsRoute({ pool, cursors }: Context) {
  return route(listSubscriptions, async ({ params, query, caller }) => {
    const { endpointId } = params;
    const { cursor, limit } = query;
    if ((await findEndpoint(pool, { id: endpointId, partnerId: requirePartnerId(caller) })) === undefined) {
      throw new ApiError('not_found');
    }
    const list = { operation: listSubscriptions.id, collection: [endpointId], filters: {} };
    const position = cursor === undefined ? undefined : readCursor(cursors, { ...list, cursor });
    const [createdAt, id] = (position?.sort ?? []) as string[];
    const after = createdAt === undefined || id === undefined ? null : { createdAt, id };
    const found = await listRows(pool, { endpointId, after, limit: limit + 1 });
    const { rows, pagination } = toPage(found, limit, (row) =>
      cursors.encode({ ...list, sort: [row.created_at, row.id] }),
    );
    return { data: rows.map(presentSubscription), pagination };
  });
}
