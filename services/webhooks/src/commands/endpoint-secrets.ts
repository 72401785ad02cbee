import { randomUUID } from 'node:crypto';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import { insertSecret, lockSecretsOfOtherKeys, updateEncryptedSecrets } from '../db/endpoint-secrets.ts';
import { decryptSecret, type EncryptionKey, encryptSecret, newSecret } from '../domain/secrets.ts';

/** Inserts a new current secret of the endpoint. Returns it encrypted, because responses are recorded. */
export async function issueSecret(
  tx: Transaction,
  endpointId: string,
  at: Date,
  keys: readonly EncryptionKey[],
): Promise<string> {
  const encrypted = encryptSecret(newSecret(), endpointId, keys);
  await insertSecret(tx, { id: randomUUID(), endpointId, sealed: encrypted, at });
  return encrypted;
}

const batchSize = 100;
const zeroUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Re-encrypts secrets of other keys with the first key. Operators can then remove the other keys, and partners need not
 * rotate. Secrets that no key decrypts stay unchanged. Returns the number of re-encrypted secrets.
 */
export async function reencryptSecrets(
  pool: Pool,
  keys: readonly EncryptionKey[],
  stopping: AbortSignal,
): Promise<number> {
  const [current] = keys;
  if (current === undefined) return 0;
  let total = 0;
  for (let after: string | undefined = zeroUuid; after !== undefined && !stopping.aborted;) {
    const from: string = after;
    const batch = await transaction(pool, async (tx) => {
      const rows = await lockSecretsOfOtherKeys(tx, current.id, from, batchSize);
      const reencrypted = rows.flatMap((row) => {
        const secret = decryptSecret(row.sealed, row.endpoint_id, keys);
        return secret === undefined
          ? []
          : [{ id: row.id, sealed: encryptSecret(secret, row.endpoint_id, keys) }];
      });
      await updateEncryptedSecrets(tx, reencrypted);
      return { rows, count: reencrypted.length };
    });
    total += batch.count;
    after = batch.rows.length < batchSize ? undefined : batch.rows.at(-1)?.id;
  }
  return total;
}
