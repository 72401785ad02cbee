import { randomUUID } from 'node:crypto';
import type { Transaction } from '@bv/postgres';
import { insertSecret } from '../db/endpoint-secrets.ts';
import { newSecret, type EncryptionKey, encryptSecret } from '../domain/secrets.ts';

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
