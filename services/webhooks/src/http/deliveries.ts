import {
  ApiError,
  listDeliveries,
  maxPageEvents,
  maxRecoveryDays,
  recoverDeliveries,
  replayDelivery,
  testWebhookEndpoint,
  validationError,
} from '@bv/contract';
import { type Route, route, processOnce } from '@bv/http';
import { buildPage, endPosition, parsePage, toCreatedAtPosition } from '@bv/pagination';
import type { Transaction } from '@bv/postgres';
import { sendPing } from '../commands/endpoints.ts';
import { recoverDeadDeliveries } from '../commands/recover-deliveries.ts';
import type { Context } from '../context.ts';
import {
  type DeliveryRow,
  getDelivery,
  listDeliveryRows,
  listEventBodies,
  lockDelivery,
  updateDeliveryReplayed,
  wakeEndpoints,
} from '../db/deliveries.ts';
import { requireEndpoint, requireLockedEndpoint, requirePartnerId } from './endpoint-access.ts';
import { prepareAndProcessOnce } from './prepare-once.ts';
import { presentDelivery, presentDeliveryWithEvent } from './present.ts';

export function listDeliveriesRoute({ pool, cursors }: Context): Route {
  return route(listDeliveries, async ({ params, query, caller }) => {
    const { endpointId } = params;
    await requireEndpoint(pool, { id: endpointId, partnerId: requirePartnerId(caller) });
    const filters = { status: query.status, include: query.include };
    const list = { operation: listDeliveries.id, collection: [endpointId], filters };
    const sent = parsePage(cursors, list, query);
    const hasEvents = sent.filters.include === 'event';
    const page = hasEvents ? { ...sent, limit: Math.min(sent.limit, maxPageEvents) } : sent;
    const status = page.filters.status ?? null;
    const before = toCreatedAtPosition(page) ?? endPosition;
    const rows = await listDeliveryRows(pool, { endpointId, status, before, limit: page.limit + 1 });
    const toSortKey = ({ created_at, id }: DeliveryRow) => [created_at, id];
    if (!hasEvents) return buildPage(cursors, page, { rows, toSortKey, present: presentDelivery });
    const bodies = await listEventBodies(
      pool,
      rows.slice(0, page.limit).map(({ id }) => id),
    );
    const present = (row: DeliveryRow) => presentDeliveryWithEvent(row, bodies.get(row.id));
    return buildPage(cursors, page, { rows, toSortKey, present });
  });
}

/** Queues a ping. */
export function testWebhookEndpointRoute({ pool, now }: Context): Route {
  return route(testWebhookEndpoint, async ({ params, caller }) => {
    const key = { id: params.endpointId, partnerId: requirePartnerId(caller) };
    return processOnce(pool, caller, testWebhookEndpoint, async (tx) => {
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
    return processOnce(pool, caller, replayDelivery, async (tx) => {
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

const dayMs = 86_400_000;
/** A request with exactly the earliest `since` is late by its way here and by the difference of two clocks. */
const clockToleranceMs = 60_000;

/** A retry after a stop in the middle queues the rest and counts only that. */
export function recoverDeliveriesRoute({ pool, now }: Context): Route {
  return route(recoverDeliveries, async ({ params, body: { since }, caller }) => {
    const partnerId = requirePartnerId(caller);
    const oldest = now().getTime() - maxRecoveryDays * dayMs - clockToleranceMs;
    if (Date.parse(since) < oldest) {
      const message = `since is more than ${maxRecoveryDays} days ago`;
      throw validationError([{ path: 'since', code: 'window_too_wide', message }]);
    }
    const prepare = () => recoverDeadDeliveries(pool, { id: params.endpointId, partnerId }, { since, now });
    const work = async (_: Transaction, replayed: number) => ({ data: { replayed } });
    return prepareAndProcessOnce(pool, caller, recoverDeliveries, { prepare, work });
  });
}
