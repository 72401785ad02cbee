import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { EndpointStatus } from '../domain/endpoint-state.ts';

export type EndpointRow = {
  id: string;
  partner_id: string;
  url: string;
  description: string;
  status: EndpointStatus;
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  secret_rotated_at: string | null;
  created_at: string;
  updated_at: string;
};

export const endpointColumns = `id, partner_id, url, description, status, consecutive_failures, last_success_at, last_failure_at,
  secret_rotated_at, created_at, updated_at`;

export async function insertEndpoint(
  tx: Transaction,
  endpoint: { id: string; partnerId: string; url: string; description: string; at: Date },
): Promise<EndpointRow> {
  const { id, partnerId, url, description, at } = endpoint;
  return one<EndpointRow>(tx, {
    name: 'webhooks.insert_endpoint',
    text: `insert into endpoints (id, partner_id, url, description, status, created_at, updated_at)
      values ($1, $2, $3, $4, 'pending_verification', $5, $5)
      returning ${endpointColumns}`,
    values: [id, partnerId, url, description, at],
  });
}

/** Returns undefined for an unknown or deleted endpoint, and for one of another partner. */
export async function findEndpoint(
  db: Queryable,
  key: { id: string; partnerId: string },
): Promise<EndpointRow | undefined> {
  return maybeOne<EndpointRow>(db, {
    name: 'webhooks.find_endpoint',
    text: `select ${endpointColumns} from endpoints where id = $1 and partner_id = $2 and deleted_at is null`,
    values: [key.id, key.partnerId],
  });
}

/**
 * Locks the row of the endpoint. Every transaction that changes an endpoint or its deliveries takes this lock first, so
 * that none deadlock. `partnerId: null` is for the operator: any endpoint matches.
 */
export async function lockEndpoint(
  tx: Transaction,
  key: { id: string; partnerId: string | null },
): Promise<EndpointRow | undefined> {
  return maybeOne<EndpointRow>(tx, {
    name: 'webhooks.lock_endpoint',
    text: `select ${endpointColumns} from endpoints
      where id = $1 and ($2::uuid is null or partner_id = $2) and deleted_at is null
      for no key update`,
    values: [key.id, key.partnerId],
  });
}

export async function listEndpoints(
  db: Queryable,
  page: { partnerId: string; afterId: string; limit: number },
): Promise<EndpointRow[]> {
  return many<EndpointRow>(db, {
    name: 'webhooks.list_endpoints',
    text: `select ${endpointColumns} from endpoints
      where partner_id = $1 and deleted_at is null and id > $2::uuid
      order by id limit $3`,
    values: [page.partnerId, page.afterId, page.limit],
  });
}

export async function countEndpoints(tx: Transaction, partnerId: string): Promise<number> {
  const row = await one<{ count: number }>(tx, {
    name: 'webhooks.count_endpoints',
    text: 'select count(*)::int as count from endpoints where partner_id = $1 and deleted_at is null',
    values: [partnerId],
  });
  return row.count;
}

export async function updateEndpointDescription(
  tx: Transaction,
  change: { id: string; description: string; at: Date },
): Promise<EndpointRow> {
  return one<EndpointRow>(tx, {
    name: 'webhooks.update_endpoint_description',
    text: `update endpoints set description = $2, updated_at = $3 where id = $1 returning ${endpointColumns}`,
    values: [change.id, change.description, change.at],
  });
}

export async function updateEndpointUrl(
  tx: Transaction,
  change: { id: string; url: string; at: Date },
): Promise<EndpointRow> {
  return one<EndpointRow>(tx, {
    name: 'webhooks.update_endpoint_url',
    text: `update endpoints set url = $2, updated_at = $3 where id = $1 returning ${endpointColumns}`,
    values: [change.id, change.url, change.at],
  });
}

/** Deliveries of a deleted endpoint are no longer read or leased. Retention deletes them. */
export async function deleteEndpoint(tx: Transaction, id: string, at: Date): Promise<void> {
  await execute(tx, {
    name: 'webhooks.delete_endpoint',
    text: `with deleted_subscriptions as (delete from subscriptions where endpoint_id = $1),
        deleted_secrets as (delete from endpoint_secrets where endpoint_id = $1)
      update endpoints set deleted_at = $2, updated_at = $2, next_lease_at = 'infinity' where id = $1`,
    values: [id, at],
  });
}

export async function updateEndpointRotation(tx: Transaction, id: string, at: Date): Promise<EndpointRow> {
  return one<EndpointRow>(tx, {
    name: 'webhooks.update_endpoint_rotation',
    text: `update endpoints set secret_rotated_at = $2, updated_at = $2 where id = $1 returning ${endpointColumns}`,
    values: [id, at],
  });
}
