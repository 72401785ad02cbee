import { execute, many, type Queryable, type Transaction } from '@bv/postgres';

/** The id of the key that encrypted a secret (domain/secrets.ts). */
const encryptionKeyId = "split_part(ciphertext, '.', 1)";

export type SecretRow = { endpoint_id: string; ciphertext: string };

export async function insertSecret(
  tx: Transaction,
  secret: { id: string; endpointId: string; ciphertext: string; at: Date },
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.insert_secret',
    text: 'insert into endpoint_secrets (id, endpoint_id, ciphertext, created_at) values ($1, $2, $3, $4)',
    values: [secret.id, secret.endpointId, secret.ciphertext, secret.at],
  });
}

/** The current secret stays valid until `until`. The one before it ends at once, so at most two secrets are live. */
export async function expireSecrets(tx: Transaction, endpointId: string, until: Date): Promise<void> {
  await execute(tx, {
    name: 'webhooks.expire_secrets',
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
    name: 'webhooks.list_live_secrets',
    text: `select endpoint_id, ciphertext from endpoint_secrets
      where endpoint_id = any($1::uuid[]) and (expires_at is null or expires_at > $2)
      order by endpoint_id, expires_at desc nulls first`,
    values: [endpointIds, at],
  });
}

/**
 * Locks secrets that other keys encrypted, by id, after the given one. Rows locked by another transaction are skipped.
 */
export async function lockSecretsOfOtherKeys(
  tx: Transaction,
  keyId: string,
  after: string,
  limit: number,
): Promise<(SecretRow & { id: string })[]> {
  return many(tx, {
    name: 'webhooks.lock_secrets_of_other_keys',
    text: `select id, endpoint_id, ciphertext from endpoint_secrets
      where id > $2 and ${encryptionKeyId} <> $1 order by id limit $3 for no key update skip locked`,
    values: [keyId, after, limit],
  });
}

export async function updateEncryptedSecrets(
  tx: Transaction,
  secrets: readonly { id: string; ciphertext: string }[],
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.update_sealed',
    text: `update endpoint_secrets s set ciphertext = r.ciphertext
      from jsonb_to_recordset($1::jsonb) as r(id uuid, ciphertext text) where s.id = r.id`,
    values: [JSON.stringify(secrets)],
  });
}

export const secretKeyStates = ['current', 'older', 'missing'] as const;
export type SecretCount = { key: (typeof secretKeyStates)[number]; secrets: number };

/** Counts live secrets by their key: the first of `keyIds`, another one of them, or one that is missing. */
export async function listSecretCounts(
  db: Queryable,
  keyIds: readonly string[],
  at: Date,
): Promise<SecretCount[]> {
  return many(db, {
    name: 'webhooks.list_secret_counts',
    text: `select case when ${encryptionKeyId} = ($1::text[])[1] then 'current'
        when ${encryptionKeyId} = any($1::text[]) then 'older' else 'missing' end as key, count(*)::int as secrets
      from endpoint_secrets s join endpoints e on e.id = s.endpoint_id
      where e.deleted_at is null and (s.expires_at is null or s.expires_at > $2) group by 1`,
    values: [keyIds, at],
  });
}
