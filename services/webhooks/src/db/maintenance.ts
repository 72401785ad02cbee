import { execute, many, one, type Queryable } from '@bv/postgres';
import type { EndpointStatus } from '../domain/endpoint-state.ts';

export type Backlog = {
  /** Wait of the endpoint that waits longest for a dispatcher. 0 when none waits. */
  lease_lag_seconds: number;
  /** Counted up to the maximum. Deliveries of deleted endpoints are never sent and not counted. */
  pending: number;
  delivering: number;
  /** Active endpoints whose circuit breaker delays deliveries. Other endpoints receive no events anyway. */
  breakers_open: number;
};

/** Uses index probes and partial indexes, so that its cost does not grow with the backlog. */
export async function getBacklog(db: Queryable, at: Date, maxCounted: number): Promise<Backlog> {
  return one<Backlog>(db, {
    name: 'webhooks.get_backlog',
    text: `select
      coalesce((select extract(epoch from $1 - min(next_lease_at)) from endpoints
        where deleted_at is null and next_lease_at <= $1), 0)::float8 as lease_lag_seconds,
      (select count(*)::int from (select from deliveries d join endpoints e on e.id = d.endpoint_id
        where d.status = 'pending' and e.deleted_at is null limit $2) p) as pending,
      (select count(*)::int from (select from deliveries where status = 'delivering' limit $2) d) as delivering,
      (select count(*)::int from endpoints
        where deleted_at is null and status = 'active' and breaker_level > 0) as breakers_open`,
    values: [at, maxCounted],
  });
}

export type EndpointCount = { status: EndpointStatus; endpoints: number };

export async function listEndpointCounts(db: Queryable): Promise<EndpointCount[]> {
  return many(db, {
    name: 'webhooks.list_endpoint_counts',
    text: 'select status, count(*)::int as endpoints from endpoints where deleted_at is null group by status',
    values: [],
  });
}

/** Deletes older deliveries of any status with their attempts. Deliveries in flight are kept until they end. */
export async function deleteOldDeliveries(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db, {
    name: 'webhooks.delete_old_deliveries',
    text: `delete from deliveries where id in (
      select id from deliveries where created_at < $1 and status <> 'delivering'
      order by created_at limit $2 for update skip locked)`,
    values: [before, limit],
  });
}

export async function deleteOldEvents(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db, {
    name: 'webhooks.delete_old_events',
    text: `delete from events where id in (
      select e.id from events e
      where e.created_at < $1 and not exists (select from deliveries d where d.event_id = e.id)
      order by e.created_at limit $2 for update skip locked)`,
    values: [before, limit],
  });
}

/** Deletes endpoints that partners have deleted and that have no delivery left. */
export async function deleteEmptyEndpoints(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db, {
    name: 'webhooks.delete_empty_endpoints',
    text: `delete from endpoints where id in (
      select e.id from endpoints e
      where e.deleted_at < $1 and not exists (select from deliveries d where d.endpoint_id = e.id)
      order by e.deleted_at limit $2 for update skip locked)`,
    values: [before, limit],
  });
}
