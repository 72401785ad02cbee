import { createKeyRing } from '@bv/crypto';
import type { EncryptionKey } from '@bv/crypto';
import type { IdempotencyKeyId } from '../db/idempotency-keys.ts';

/** Encrypts stored responses, which can contain secrets such as that of a new endpoint. Each is bound to its row. */
export type ResponseCipher = {
  encrypt(id: IdempotencyKeyId, body: Buffer): { keyId: number; body: Buffer };
  /** Undefined when the key is not configured or the bytes were not encrypted for this row. */
  decrypt(id: IdempotencyKeyId, keyId: number, encrypted: Buffer): Buffer | undefined;
};

export function createResponseCipher(keys: readonly EncryptionKey[]): ResponseCipher {
  const ring = createKeyRing(keys, 'iv-ciphertext-tag');
  return {
    encrypt: (id, body) => ({ keyId: ring.currentId, body: ring.encrypt(body, toAdditionalData(id)) }),
    decrypt: (id, keyId, encrypted) => ring.decrypt(keyId, encrypted, toAdditionalData(id)),
  };
}

function toAdditionalData({ ownerKind, ownerId, key }: IdempotencyKeyId): Buffer {
  return Buffer.from(JSON.stringify([ownerKind, ownerId, key]));
}
