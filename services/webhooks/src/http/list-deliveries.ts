import { ApiError, listDeliveries } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { type DeliveryStatus, listDeliveries as listRows } from '../db/deliveries.ts';
import { findEndpoint } from '../db/endpoints.ts';
import { toPage } from './page.ts';
import { requirePartnerId } from './partner.ts';
import { presentDelivery } from './present.ts';

export function listDeliveriesRoute({ pool, cursors }: Context) {
  return route(listDeliveries, async ({ params, query, caller }) => {
    const { endpointId } = params;
    const { cursor, limit } = query;
    if ((await findEndpoint(pool, { id: endpointId, partnerId: requirePartnerId(caller) })) === undefined) {
      throw new ApiError('not_found');
    }
    const list = { operation: listDeliveries.id, collection: [endpointId] };
    const requested = { status: query.status };
    const position =
      cursor === undefined ? undefined : readCursor(cursors, { ...list, cursor, filters: requested });
    const filters = position?.filters ?? requested;
    const [createdAt, id] = (position?.sort ?? []) as string[];
    const before = createdAt === undefined || id === undefined ? null : { createdAt, id };
    const status = (filters.status as DeliveryStatus | undefined) ?? null;
    const found = await listRows(pool, { endpointId, status, before, limit: limit + 1 });
    const { rows, pagination } = toPage(found, limit, (row) =>
      cursors.encode({ ...list, filters, sort: [row.created_at, row.id] }),
    );
    return { data: rows.map(presentDelivery), pagination };
  });
}
