import {
  ApiError,
  operatorGetDelivery,
  operatorGetWebhookEvent,
  operatorListEndpointDeliveries,
  operatorListWebhookEvents,
  type ResponseData,
} from '@bv/contract';
import { type Route, route } from '@bv/http';
import { buildPage, endPosition, parsePage, toCreatedAtPosition } from '@bv/pagination';
import type { Context } from '../context.ts';
import {
  type EventRow,
  findAnyEndpoint,
  findEvent,
  findOwnedDelivery,
  listAttempts,
  listEventDeliveries,
  listEvents,
  listOwnedDeliveries,
  type OwnedDeliveryRow,
} from '../db/operator-reads.ts';
import { findNames } from './names.ts';
import { presentAttempt, presentDelivery, wireTime } from './present.ts';

const maxAttempts = 50;
const toSortKey = ({ created_at, id }: { created_at: string; id: string }): string[] => [created_at, id];

export function operatorListEndpointDeliveriesRoute({ pool, nats, cursors }: Context): Route {
  return route(operatorListEndpointDeliveries, async ({ params: { endpointId }, query }) => {
    const filters = { status: query.status };
    const list = { operation: operatorListEndpointDeliveries.id, collection: [endpointId], filters };
    const page = parsePage(cursors, list, query);
    if ((await findAnyEndpoint(pool, endpointId)) === undefined) throw new ApiError('not_found');
    const rows = await listOwnedDeliveries(pool, {
      endpointId,
      status: page.filters.status ?? null,
      before: toCreatedAtPosition(page) ?? endPosition,
      limit: page.limit + 1,
    });
    const namesOf = await findNames(nats, rows.slice(0, page.limit));
    const present = (row: OwnedDeliveryRow) => ({ ...presentDelivery(row), ...namesOf(row) });
    return buildPage(cursors, page, { rows, toSortKey, present });
  });
}

export function operatorGetDeliveryRoute({ pool, nats }: Context): Route {
  return route(operatorGetDelivery, async ({ params: { deliveryId } }) => {
    const delivery = await findOwnedDelivery(pool, deliveryId);
    if (delivery === undefined) throw new ApiError('not_found');
    const namesOf = await findNames(nats, [delivery]);
    const attempts = await listAttempts(pool, deliveryId, maxAttempts);
    return {
      data: {
        ...presentDelivery(delivery),
        ...namesOf(delivery),
        endpoint_url: delivery.endpoint_url,
        attempt_log: attempts.map(presentAttempt),
      },
    };
  });
}

export function operatorListWebhookEventsRoute({ pool, nats, cursors }: Context): Route {
  return route(operatorListWebhookEvents, async ({ query }) => {
    const page = parsePage(cursors, { operation: operatorListWebhookEvents.id, collection: [] }, query);
    const before = toCreatedAtPosition(page) ?? endPosition;
    const rows = await listEvents(pool, { before, limit: page.limit + 1 });
    const namesOf = await findNames(nats, rows.slice(0, page.limit));
    const present = ({ id, type, created_at, ...owned }: EventRow) => ({
      id,
      type,
      ...namesOf(owned),
      created_at: wireTime(created_at),
    });
    return buildPage(cursors, page, { rows, toSortKey, present });
  });
}

type Body = ResponseData<typeof operatorGetWebhookEvent>['body'];

export function operatorGetWebhookEventRoute({ pool, nats }: Context): Route {
  return route(operatorGetWebhookEvent, async ({ params: { webhookEventId } }) => {
    const event = await findEvent(pool, webhookEventId);
    if (event === undefined) throw new ApiError('not_found');
    const { id, type, created_at, body } = event;
    const namesOf = await findNames(nats, [event]);
    const deliveries = await listEventDeliveries(pool, id);
    const shown = { id, type, ...namesOf(event), created_at: wireTime(created_at) };
    return { data: { ...shown, body: JSON.parse(body) as Body, deliveries } };
  });
}
