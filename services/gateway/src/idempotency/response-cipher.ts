import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { IdempotencyKeyId } from '../db/idempotency-keys.ts';

export type EncryptionKey = { id: number; key: Buffer };

/** Encrypts stored responses, which can contain secrets such as that of a new endpoint. Each is bound to its row. */
export type ResponseCipher = {
  encrypt(id: IdempotencyKeyId, body: Buffer): { keyId: number; body: Buffer };
  /** Undefined when the key is not configured or the bytes were not encrypted for this row. */
  decrypt(id: IdempotencyKeyId, keyId: number, encrypted: Buffer): Buffer | undefined;
};

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** The first key encrypts, all keys decrypt. Layout: IV, ciphertext, authentication tag. */
export function createResponseCipher(keys: readonly EncryptionKey[]): ResponseCipher {
  const [current] = keys;
  if (current === undefined) throw new Error('stored responses need an encryption key');
  const keyById = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    encrypt: (id, body) => {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, current.key, iv, { authTagLength: tagLength });
      cipher.setAAD(toAdditionalData(id));
      const text = Buffer.concat([cipher.update(body), cipher.final()]);
      return { keyId: current.id, body: Buffer.concat([iv, text, cipher.getAuthTag()]) };
    },
    decrypt: (id, keyId, encrypted) => {
      const key = keyById.get(keyId);
      if (key === undefined || encrypted.length < ivLength + tagLength) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, ivLength), {
          authTagLength: tagLength,
        });
        decipher.setAAD(toAdditionalData(id));
        decipher.setAuthTag(encrypted.subarray(-tagLength));
        return Buffer.concat([decipher.update(encrypted.subarray(ivLength, -tagLength)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

function toAdditionalData({ ownerKind, ownerId, key }: IdempotencyKeyId): Buffer {
  return Buffer.from(JSON.stringify([ownerKind, ownerId, key]));
}
