import { many, maybeOne, one, type Queryable } from '@bv/postgres';
import type { EndpointStatus } from '../domain/endpoint-state.ts';
import { deliveryColumns, type DeliveryRow, type DeliveryStatus } from './deliveries.ts';
import { endpointColumns, type EndpointRow } from './endpoints.ts';

type EndpointPage = {
  partnerId: string | null;
  status: EndpointStatus | null;
  afterId: string;
  limit: number;
};

/** Endpoints of all partners or of one. Not prepared, so that the plan follows the filters that are set. */
export async function listAllEndpoints(db: Queryable, page: EndpointPage): Promise<EndpointRow[]> {
  return many(db, {
    name: 'webhooks.list_all_endpoints',
    text: `select ${endpointColumns} from endpoints
      where deleted_at is null and id > $1::uuid
        and ($3::uuid is null or partner_id = $3) and ($4::text is null or status = $4)
      order by id limit $2`,
    values: [page.afterId, page.limit, page.partnerId, page.status],
    prepare: false,
  });
}

export async function findAnyEndpoint(db: Queryable, id: string): Promise<EndpointRow | undefined> {
  return maybeOne(db, {
    name: 'webhooks.find_any_endpoint',
    text: `select ${endpointColumns} from endpoints where id = $1 and deleted_at is null`,
    values: [id],
  });
}

export type EndpointCounts = { subscriptions: number; pending_deliveries: number };

export async function countOfEndpoint(
  db: Queryable,
  id: string,
  maxCounted: number,
): Promise<EndpointCounts> {
  return one(db, {
    name: 'webhooks.count_of_endpoint',
    text: `select
      (select count(*) from subscriptions where endpoint_id = $1) as subscriptions,
      (select count(*) from (select from deliveries
        where endpoint_id = $1 and status = 'pending' limit $2) p) as pending_deliveries`,
    values: [id, maxCounted],
  });
}

export type OwnedDeliveryRow = DeliveryRow & { partner_id: string; org_id: string | null };

type DeliveryPage = {
  endpointId: string;
  status: DeliveryStatus | null;
  before: { createdAt: string; id: string };
  limit: number;
};

/** Deliveries of an endpoint, newest first. Not prepared, so that the plan uses the index of the status. */
export async function listOwnedDeliveries(db: Queryable, page: DeliveryPage): Promise<OwnedDeliveryRow[]> {
  return many(db, {
    name: 'webhooks.list_owned_deliveries',
    text: `select ${deliveryColumns}, d.partner_id, d.org_id from deliveries d
      where d.endpoint_id = $1 and (d.created_at, d.id) < ($2, $3::uuid) and ($5::text is null or d.status = $5)
      order by d.created_at desc, d.id desc limit $4`,
    values: [page.endpointId, page.before.createdAt, page.before.id, page.limit, page.status],
    prepare: false,
  });
}

export async function findOwnedDelivery(
  db: Queryable,
  id: string,
): Promise<(OwnedDeliveryRow & { endpoint_url: string }) | undefined> {
  return maybeOne(db, {
    name: 'webhooks.find_owned_delivery',
    text: `select ${deliveryColumns}, d.partner_id, d.org_id, e.url as endpoint_url
      from deliveries d join endpoints e on e.id = d.endpoint_id where d.id = $1`,
    values: [id],
  });
}

export type AttemptRow = {
  number: number;
  outcome: 'running' | 'succeeded' | 'failed' | 'unknown';
  error: string | null;
  status_code: number | null;
  duration_ms: number | null;
  started_at: string;
  finished_at: string | null;
};

/** The last attempts of a delivery, newest first. */
export async function listAttempts(db: Queryable, deliveryId: string, limit: number): Promise<AttemptRow[]> {
  return many(db, {
    name: 'webhooks.list_attempts',
    text: `select number, outcome, error, status_code, duration_ms, started_at, finished_at from attempts
      where delivery_id = $1 order by number desc limit $2`,
    values: [deliveryId, limit],
  });
}

export type EventRow = {
  id: string;
  type: string;
  partner_id: string;
  org_id: string | null;
  created_at: string;
};

const eventColumns = 'id, type, partner_id, org_id, created_at';

/** Events of all partners, newest first. */
export async function listEvents(
  db: Queryable,
  page: { before: { createdAt: string; id: string }; limit: number },
): Promise<EventRow[]> {
  return many(db, {
    name: 'webhooks.list_events',
    text: `select ${eventColumns} from events where (created_at, id) < ($1, $2::uuid)
      order by created_at desc, id desc limit $3`,
    values: [page.before.createdAt, page.before.id, page.limit],
  });
}

export async function findEvent(
  db: Queryable,
  id: string,
): Promise<(EventRow & { body: string }) | undefined> {
  return maybeOne(db, {
    name: 'webhooks.find_event',
    text: `select ${eventColumns}, body from events where id = $1`,
    values: [id],
  });
}

export type EventDeliveryRow = {
  id: string;
  endpoint_id: string;
  status: DeliveryStatus;
  attempts: number;
};

/** At most one for each endpoint of a partner, so they need no pages. */
export async function listEventDeliveries(db: Queryable, eventId: string): Promise<EventDeliveryRow[]> {
  return many(db, {
    name: 'webhooks.list_event_deliveries',
    text: 'select id, endpoint_id, status, attempts from deliveries where event_id = $1 order by id',
    values: [eventId],
  });
}
