import { ApiError, listDeliveries, replayDelivery, testWebhookEndpoint } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import { type Route, route, runOnce } from '@bv/http';
import { sendPing } from '../commands/endpoints.ts';
import type { Context } from '../context.ts';
import {
  type DeliveryStatus,
  getDelivery,
  listDeliveryRows,
  lockDelivery,
  updateDeliveryReplayed,
  wakeEndpoints,
} from '../db/deliveries.ts';
import { requireEndpoint, requireLockedEndpoint, requirePartnerId } from './endpoint-access.ts';
import { toPage } from './page.ts';
import { presentDelivery } from './present.ts';

export function listDeliveriesRoute({ pool, cursors }: Context): Route {
  return route(listDeliveries, async ({ params, query, caller }) => {
    const { endpointId } = params;
    const { cursor, limit } = query;
    await requireEndpoint(pool, { id: endpointId, partnerId: requirePartnerId(caller) });
    const list = { operation: listDeliveries.id, collection: [endpointId] };
    const requested = { status: query.status };
    const position =
      cursor === undefined ? undefined : readCursor(cursors, { ...list, cursor, filters: requested });
    const filters = position?.filters ?? requested;
    const [createdAt, id] = (position?.sort ?? []) as string[];
    const before = createdAt === undefined || id === undefined ? null : { createdAt, id };
    const status = (filters.status as DeliveryStatus | undefined) ?? null;
    const found = await listDeliveryRows(pool, { endpointId, status, before, limit: limit + 1 });
    const { rows, pagination } = toPage(found, limit, (row) =>
      cursors.encode({ ...list, filters, sort: [row.created_at, row.id] }),
    );
    return { data: rows.map(presentDelivery), pagination };
  });
}

/** Queues a ping. */
export function testWebhookEndpointRoute({ pool, now }: Context): Route {
  return route(testWebhookEndpoint, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    return runOnce(pool, caller, testWebhookEndpoint, async (tx) => {
      const endpoint = await requireLockedEndpoint(tx, key);
      if (endpoint.status === 'disabled') throw new ApiError('endpoint_disabled');
      const deliveryId = await sendPing(tx, endpoint, now());
      return { data: presentDelivery(await getDelivery(tx, deliveryId)) };
    });
  });
}

export function replayDeliveryRoute({ pool, now }: Context): Route {
  return route(replayDelivery, async ({ params, caller }) => {
    const { endpointId, deliveryId } = params;
    const partnerId = requirePartnerId(caller);
    return runOnce(pool, caller, replayDelivery, async (tx) => {
      const at = now();
      const endpoint = await requireLockedEndpoint(tx, { id: endpointId, partnerId });
      const delivery = await lockDelivery(tx, { id: deliveryId, endpointId });
      if (delivery === undefined) throw new ApiError('not_found');
      // The link is checked before the endpoint: without a link, enabling the endpoint would not help.
      if (!delivery.linked) throw new ApiError('link_revoked');
      if (endpoint.status === 'disabled') throw new ApiError('endpoint_disabled');
      if (delivery.status === 'delivering') throw new ApiError('delivery_in_flight');
      await updateDeliveryReplayed(tx, deliveryId, at);
      await wakeEndpoints(tx, [endpointId], at);
      return { data: presentDelivery(await getDelivery(tx, deliveryId)) };
    });
  });
}
