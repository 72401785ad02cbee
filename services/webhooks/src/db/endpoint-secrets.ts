import { execute, many, type Queryable, type Transaction } from '@bv/postgres';

export type SecretRow = { endpoint_id: string; sealed: string };

export async function insertSecret(
  tx: Transaction,
  secret: { id: string; endpointId: string; sealed: string; at: Date },
): Promise<void> {
  await execute(tx, {
    name: 'insert-secret',
    text: 'insert into endpoint_secrets (id, endpoint_id, sealed, created_at) values ($1, $2, $3, $4)',
    values: [secret.id, secret.endpointId, secret.sealed, secret.at],
  });
}

/** The current secret stays valid until then; the one before it ends at once, so that there are never three. */
export async function expireSecrets(tx: Transaction, endpointId: string, until: Date): Promise<void> {
  await execute(tx, {
    name: 'expire-secrets',
    text: `with older as (delete from endpoint_secrets where endpoint_id = $1 and expires_at is not null)
      update endpoint_secrets set expires_at = $2 where endpoint_id = $1 and expires_at is null`,
    values: [endpointId, until],
  });
}

/** Secrets that sign now, the current one of each endpoint first. */
export async function listLiveSecrets(
  db: Queryable,
  endpointIds: readonly string[],
  at: Date,
): Promise<SecretRow[]> {
  return many<SecretRow>(db, {
    name: 'list-live-secrets',
    text: `select endpoint_id, sealed from endpoint_secrets
      where endpoint_id = any($1::uuid[]) and (expires_at is null or expires_at > $2)
      order by endpoint_id, expires_at desc nulls first`,
    values: [endpointIds, at],
  });
}
