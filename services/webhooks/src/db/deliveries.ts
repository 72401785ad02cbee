import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';

import { injectTraceContext } from '@bv/telemetry';

export type NewEvent = {
  id: string;
  partnerId: string;
  orgId: string | null;
  type: string;
  dedupeKey: string;
  body: string;
};

/** Inserts events whose key is new, and returns the ids of those. */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  at: Date,
): Promise<Set<string>> {
  const rows = await many<{ id: string }>(tx, {
    name: 'webhooks.insert_events',
    text: `insert into events (id, partner_id, org_id, type, dedupe_key, body, created_at, traceparent)
      select n.id, n."partnerId", n."orgId", n.type, n."dedupeKey", n.body, $2, $3
      from jsonb_to_recordset($1::jsonb)
        as n(id uuid, "partnerId" uuid, "orgId" uuid, type text, "dedupeKey" text, body text)
      order by n."partnerId", n."dedupeKey"
      on conflict on constraint events_once do nothing
      returning id`,
    values: [
      JSON.stringify(events),
      at,
      injectTraceContext<{ traceparent?: string }>({}).traceparent ?? null,
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

export type NewDelivery = {
  id: string;
  eventId: string;
  endpointId: string;
  subscriptionId: string | null;
  partnerId: string;
  orgId: string | null;
  eventType: string;
  isPing: boolean;
};

/**
 * Inserts deliveries that are due at `at`. The unique constraint allows one per event and endpoint. Wakes the endpoints
 * first: every transaction locks endpoints before their deliveries, so that none deadlock.
 */
export async function queueDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  at: Date,
): Promise<void> {
  await wakeEndpoints(tx, [...new Set(deliveries.map(({ endpointId }) => endpointId))], at);
  await execute(tx, {
    name: 'webhooks.insert_deliveries',
    text: `insert into deliveries (id, event_id, endpoint_id, subscription_id, partner_id, org_id, event_type, is_ping,
        status, next_attempt_at, created_at, updated_at)
      select n.id, n."eventId", n."endpointId", n."subscriptionId", n."partnerId", n."orgId", n."eventType",
        n."isPing", 'pending', $2, $2, $2
      from jsonb_to_recordset($1::jsonb) as n(id uuid, "eventId" uuid, "endpointId" uuid, "subscriptionId" uuid,
        "partnerId" uuid, "orgId" uuid, "eventType" text, "isPing" boolean)
      on conflict on constraint deliveries_once do nothing`,
    values: [JSON.stringify(deliveries), at],
  });
}

/** Makes dispatchers lease from the endpoints at `at` or earlier. Locks the rows in order of their ids. */
export async function wakeEndpoints(tx: Transaction, ids: readonly string[], at: Date): Promise<void> {
  await execute(tx, {
    name: 'webhooks.wake_endpoints',
    text: `with locked as (
        select id, next_lease_at from endpoints where id = any($1::uuid[]) order by id for no key update)
      update endpoints e set next_lease_at = $2 from locked where e.id = locked.id and locked.next_lease_at > $2`,
    values: [ids, at],
  });
}

export type DeliveryStatus = 'pending' | 'delivering' | 'succeeded' | 'dead';

export type DeliveryRow = {
  id: string;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  subscription_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_duration_ms: number | null;
  last_error: string | null;
  last_response_snippet: string | null;
  created_at: string;
  updated_at: string;
};

/** `subscription_id` is null once the subscription is deleted. This subquery avoids updates of all its deliveries. */
export const deliveryColumns = `d.id, d.event_id, d.event_type, d.endpoint_id,
  (select s.id from subscriptions s where s.id = d.subscription_id) as subscription_id,
  d.status, d.attempts, d.next_attempt_at, d.last_status_code, d.last_duration_ms, d.last_error,
  d.last_response_snippet, d.created_at, d.updated_at`;

export async function getDelivery(db: Queryable, id: string): Promise<DeliveryRow> {
  return one<DeliveryRow>(db, {
    name: 'webhooks.get_delivery',
    text: `select ${deliveryColumns} from deliveries d where d.id = $1`,
    values: [id],
  });
}

/** Whether the partner is active and still linked to the organisation of a delivery `d`. */
const isDeliveryLinked = `coalesce(p.status = 'active', false) and (d.org_id is null
  or (coalesce(l.active, false) and o.deleted_at is null))`;
const deliveryLinks = `left join partners p on p.id = d.partner_id
  left join links l on l.partner_id = d.partner_id and l.org_id = d.org_id
  left join orgs o on o.id = d.org_id`;

export type ReplayCandidate = { status: DeliveryStatus; linked: boolean };

/** Locks a delivery for a replay. Returns its status and whether its organisation is still linked. */
export async function lockDelivery(
  tx: Transaction,
  key: { id: string; endpointId: string },
): Promise<ReplayCandidate | undefined> {
  return maybeOne<ReplayCandidate>(tx, {
    name: 'webhooks.lock_delivery',
    text: `select d.status, ${isDeliveryLinked} as linked
      from deliveries d ${deliveryLinks}
      where d.id = $1 and d.endpoint_id = $2
      for no key update of d`,
    values: [key.id, key.endpointId],
  });
}

/** Makes the delivery due now. An ended delivery restarts its schedule, a waiting one continues it. */
export async function updateDeliveryReplayed(tx: Transaction, id: string, at: Date): Promise<void> {
  await execute(tx, {
    name: 'webhooks.update_delivery_replayed',
    text: `update deliveries set
        schedule_attempts = case when status = 'pending' then schedule_attempts else 0 end,
        status = 'pending', next_attempt_at = $2, updated_at = $2
      where id = $1 and status <> 'delivering'`,
    values: [id, at],
  });
}

export type DeliveryPlace = { createdAt: string; id: string };
export type ReplayedBatch = { replayed: number; last: DeliveryPlace };

/**
 * Makes the next dead deliveries of an endpoint due now, oldest first. Leaves out pings and organisations that are not
 * linked. Undefined when none is left after `after`.
 */
export async function replayDeadDeliveries(
  tx: Transaction,
  batch: { endpointId: string; after: DeliveryPlace; limit: number; at: Date },
): Promise<ReplayedBatch | undefined> {
  const row = await maybeOne<{ replayed: number; created_at: string; id: string }>(tx, {
    name: 'webhooks.update_dead_deliveries',
    text: `with picked as (
        select d.id, d.created_at from deliveries d ${deliveryLinks}
        where d.endpoint_id = $1 and d.status = 'dead' and (d.created_at, d.id) > ($2, $3::uuid)
          and not d.is_ping and ${isDeliveryLinked}
        order by d.created_at, d.id limit $4
        for no key update of d),
      replayed as (
        update deliveries d set schedule_attempts = 0, status = 'pending', next_attempt_at = $5, updated_at = $5
        from picked where d.id = picked.id)
      select count(*) over ()::int as replayed, created_at, id from picked
      order by created_at desc, id desc limit 1`,
    values: [batch.endpointId, batch.after.createdAt, batch.after.id, batch.limit, batch.at],
  });
  return row && { replayed: row.replayed, last: { createdAt: row.created_at, id: row.id } };
}

export async function listDeliveryRows(
  db: Queryable,
  page: {
    endpointId: string;
    status: DeliveryStatus | null;
    before: DeliveryPlace;
    limit: number;
  },
): Promise<DeliveryRow[]> {
  const { endpointId, status, before, limit } = page;
  // A row comparison also on the first page: with an `or`, the prepared plan would not use an index range.
  const keyset = '(d.created_at, d.id) < ($2, $3::uuid)';
  const order = 'order by d.created_at desc, d.id desc limit $4';
  const values = [endpointId, before.createdAt, before.id, limit];
  if (status === null) {
    const text = `select ${deliveryColumns} from deliveries d where d.endpoint_id = $1 and ${keyset} ${order}`;
    return many<DeliveryRow>(db, { name: 'webhooks.list_deliveries', text, values });
  }
  return many<DeliveryRow>(db, {
    name: 'webhooks.list_deliveries_by_status',
    text: `select ${deliveryColumns} from deliveries d
      where d.endpoint_id = $1 and d.status = $5 and ${keyset} ${order}`,
    values: [...values, status],
  });
}

/** Returns the bodies of events by the ids of their deliveries. Leaves out organisations that are not linked. */
export async function listEventBodies(
  db: Queryable,
  deliveryIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await many<{ id: string; body: string }>(db, {
    name: 'webhooks.list_event_bodies',
    text: `select d.id, e.body from deliveries d join events e on e.id = d.event_id ${deliveryLinks}
      where d.id = any($1::uuid[]) and ${isDeliveryLinked}`,
    values: [deliveryIds],
  });
  return new Map(rows.map(({ id, body }) => [id, body]));
}
