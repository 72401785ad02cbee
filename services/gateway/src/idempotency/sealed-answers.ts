import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { IdempotencyKeyId } from '../db/idempotency-keys.ts';

export type SealingKey = { id: number; key: Buffer };

/** Stored answers can hold secrets (a new endpoint's), so they are encrypted and bound to their own row. */
export type AnswerSeal = {
  seal(id: IdempotencyKeyId, body: Buffer): { keyId: number; body: Buffer };
  /** Undefined when the key is no longer configured or the bytes are not what was sealed. */
  open(id: IdempotencyKeyId, keyId: number, sealed: Buffer): Buffer | undefined;
};

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

export function createAnswerSeal(keys: readonly SealingKey[]): AnswerSeal {
  const [current] = keys;
  if (current === undefined) throw new Error('stored answers need an encryption key');
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    seal: (id, body) => {
      const iv = randomBytes(ivLength);
      const sealing = createCipheriv(cipher, current.key, iv, { authTagLength: tagLength });
      sealing.setAAD(boundTo(id));
      const text = Buffer.concat([sealing.update(body), sealing.final()]);
      return { keyId: current.id, body: Buffer.concat([iv, text, sealing.getAuthTag()]) };
    },
    open: (id, keyId, sealed) => {
      const key = keyOf.get(keyId);
      if (key === undefined || sealed.length < ivLength + tagLength) return undefined;
      try {
        const opening = createDecipheriv(cipher, key, sealed.subarray(0, ivLength), {
          authTagLength: tagLength,
        });
        opening.setAAD(boundTo(id));
        opening.setAuthTag(sealed.subarray(-tagLength));
        return Buffer.concat([opening.update(sealed.subarray(ivLength, -tagLength)), opening.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

function boundTo({ ownerKind, ownerId, key }: IdempotencyKeyId): Buffer {
  return Buffer.from(JSON.stringify([ownerKind, ownerId, key]));
}
