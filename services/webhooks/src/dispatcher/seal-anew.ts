import { type Pool, transaction } from '@bv/postgres';
import { lockSecretsOfOtherKeys, updateSealed } from '../db/endpoint-secrets.ts';
import { openSecret, type SealingKey, sealSecret } from '../domain/secrets.ts';

const batchSize = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Seals with the first key what the others sealed, so that these can be taken away without asking partners to rotate.
 * What no key opens is left as it is. Returns how many were sealed.
 */
export async function sealAnew(
  pool: Pool,
  keys: readonly SealingKey[],
  stopping: AbortSignal,
): Promise<number> {
  const [current] = keys;
  if (current === undefined) return 0;
  let sealed = 0;
  for (let after: string | undefined = firstId; after !== undefined && !stopping.aborted;) {
    const from: string = after;
    const batch = await transaction(pool, async (tx) => {
      const rows = await lockSecretsOfOtherKeys(tx, current.id, from, batchSize);
      const anew = rows.flatMap((row) => {
        const secret = openSecret(row.sealed, row.endpoint_id, keys);
        return secret === undefined
          ? []
          : [{ id: row.id, sealed: sealSecret(secret, row.endpoint_id, keys) }];
      });
      await updateSealed(tx, anew);
      return { rows, sealed: anew.length };
    });
    sealed += batch.sealed;
    after = batch.rows.length < batchSize ? undefined : batch.rows.at(-1)?.id;
  }
  return sealed;
}
