import { randomUUID } from 'node:crypto';
import { zeroUuid } from '@bv/pagination';
import { type Pool, type Transaction, transaction } from '@bv/postgres';
import { insertSecret, lockSecretsOfOtherKeys, updateEncryptedSecrets } from '../db/endpoint-secrets.ts';
import { newSecret, type SecretCipher } from '../domain/secrets.ts';

/** Inserts a new current secret of the endpoint. Returns it encrypted, because responses are recorded. */
export async function issueSecret(
  tx: Transaction,
  endpointId: string,
  at: Date,
  cipher: SecretCipher,
): Promise<string> {
  const encrypted = cipher.encrypt(newSecret(), endpointId);
  await insertSecret(tx, { id: randomUUID(), endpointId, ciphertext: encrypted, at });
  return encrypted;
}

const batchSize = 100;

/**
 * Re-encrypts secrets of other keys with the first key. Operators can then remove the other keys, and partners need not
 * rotate. Secrets that no key decrypts stay unchanged. Returns the number of re-encrypted secrets.
 */
export async function reencryptSecrets(
  pool: Pool,
  cipher: SecretCipher,
  stopping: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let after: string | undefined = zeroUuid; after !== undefined && !stopping.aborted;) {
    const from: string = after;
    const batch = await transaction(pool, async (tx) => {
      const rows = await lockSecretsOfOtherKeys(tx, cipher.currentKeyId, from, batchSize);
      const reencrypted = rows.flatMap((row) => {
        const secret = cipher.decrypt(row.ciphertext, row.endpoint_id);
        return secret === undefined
          ? []
          : [{ id: row.id, ciphertext: cipher.encrypt(secret, row.endpoint_id) }];
      });
      await updateEncryptedSecrets(tx, reencrypted);
      return { rows, count: reencrypted.length };
    });
    total += batch.count;
    after = batch.rows.length < batchSize ? undefined : batch.rows.at(-1)?.id;
  }
  return total;
}
