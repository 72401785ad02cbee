import { execute, type Queryable } from '@bv/postgres';

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
