import { execute, maybeOne } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type IdempotencyKeyId = { ownerKind: string; ownerId: string; key: string };

export type NewIdempotencyRecord = IdempotencyKeyId & {
  operation: string;
  fingerprint: Buffer;
  operationId: string;
  attemptId: string;
  leaseMs: number;
};

export type IdempotencyRow = {
  lease_token: string;
  fingerprint: Buffer;
  /** Whether the same request may acquire the key now: the record has no response, and its lease has ended. */
  released: boolean;
  /** Null while the request runs. */
  status: number | null;
  content_type: string | null;
  key_id: number | null;
  body: Buffer | null;
};

const retention = `interval '24 hours'`;
const values = ({ ownerKind, ownerId, key }: IdempotencyKeyId): string[] => [ownerKind, ownerId, key];

/**
 * Acquires a key in one statement. Succeeds for a new key, a key older than 24 hours, and the same request after its
 * lease has ended, which keeps its operation id. Undefined when another request holds the key or a response is stored.
 */
export async function insertIdempotencyRecord(
  db: Queryable,
  record: NewIdempotencyRecord,
): Promise<{ operation_id: string } | undefined> {
  return maybeOne(db, {
    name: 'gateway.insert_idempotency_record',
    text: `insert into idempotency_keys as i (owner_kind, owner_id, key, operation, fingerprint,
             operation_id, lease_token, lease_expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond')
           on conflict (owner_kind, owner_id, key) do update set
             operation_id = case when coalesce(i.completed_at, i.created_at) <= now() - ${retention}
               then excluded.operation_id else i.operation_id end,
             created_at = case when coalesce(i.completed_at, i.created_at) <= now() - ${retention}
               then now() else i.created_at end,
             operation = excluded.operation, fingerprint = excluded.fingerprint,
             lease_token = excluded.lease_token, lease_expires_at = excluded.lease_expires_at,
             completed_at = null, status = null, content_type = null, key_id = null, body = null
           where i.lease_expires_at <= now()
             and (coalesce(i.completed_at, i.created_at) <= now() - ${retention}
               or (i.completed_at is null and i.fingerprint = excluded.fingerprint))
           returning operation_id`,
    values: [
      ...values(record),
      record.operation,
      record.fingerprint,
      record.operationId,
      record.attemptId,
      record.leaseMs,
    ],
  });
}

export async function findIdempotencyRecord(
  db: Queryable,
  id: IdempotencyKeyId,
): Promise<IdempotencyRow | undefined> {
  return maybeOne(db, {
    name: 'gateway.find_idempotency_record',
    text: `select lease_token, fingerprint, completed_at is null and lease_expires_at <= now() as released,
             status, content_type, key_id, body from idempotency_keys
           where owner_kind = $1 and owner_id = $2 and key = $3`,
    values: values(id),
  });
}

export type EncryptedResponse = { status: number; contentType: string; keyId: number; body: Buffer };

/** Updates nothing when another attempt owns the key by now: only the response of that attempt is stored. */
export async function updateIdempotencyResponse(
  db: Queryable,
  id: IdempotencyKeyId,
  attemptId: string,
  response: EncryptedResponse,
): Promise<number> {
  return execute(db, {
    name: 'gateway.update_idempotency_response',
    text: `update idempotency_keys set completed_at = now(), lease_expires_at = now(), status = $5,
             content_type = $6, key_id = $7, body = $8
           where owner_kind = $1 and owner_id = $2 and key = $3 and lease_token = $4 and completed_at is null`,
    values: [...values(id), attemptId, response.status, response.contentType, response.keyId, response.body],
  });
}

/** The same request may be sent again immediately. It runs under the same operation id. */
export async function releaseIdempotencyRecord(
  db: Queryable,
  id: IdempotencyKeyId,
  attemptId: string,
): Promise<void> {
  await execute(db, {
    name: 'gateway.release_idempotency_record',
    text: `update idempotency_keys set lease_expires_at = now()
           where owner_kind = $1 and owner_id = $2 and key = $3 and lease_token = $4 and completed_at is null`,
    values: [...values(id), attemptId],
  });
}

/** The key was not consumed. */
export async function deleteIdempotencyRecord(
  db: Queryable,
  id: IdempotencyKeyId,
  attemptId: string,
): Promise<void> {
  await execute(db, {
    name: 'gateway.delete_idempotency_record',
    text: `delete from idempotency_keys
           where owner_kind = $1 and owner_id = $2 and key = $3 and lease_token = $4 and completed_at is null`,
    values: [...values(id), attemptId],
  });
}

/** Deletes rows older than 24 hours, unfinished ones included. Returns the number of deleted rows. */
export async function deleteOldIdempotencyRecords(db: Queryable, limit: number): Promise<number> {
  return execute(db, {
    name: 'gateway.delete_old_idempotency_records',
    text: `delete from idempotency_keys where ctid = any (array(
             select ctid from idempotency_keys
             where coalesce(completed_at, created_at) < now() - ${retention} and lease_expires_at < now()
             limit $1 for update skip locked))`,
    values: [limit],
  });
}
