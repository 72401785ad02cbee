import { randomUUID } from 'node:crypto';
import type { Transaction } from '@bv/postgres';
import { insertSecret } from '../db/endpoint-secrets.ts';
import { newSecret, type SealingKey, sealSecret } from '../domain/secrets.ts';

/** A new current secret for the endpoint; returns it sealed, as it may be stored. */
export async function issueSecret(
  tx: Transaction,
  endpointId: string,
  at: Date,
  keys: readonly SealingKey[],
): Promise<string> {
  const sealed = sealSecret(newSecret(), endpointId, keys);
  await insertSecret(tx, { id: randomUUID(), endpointId, sealed, at });
  return sealed;
}
