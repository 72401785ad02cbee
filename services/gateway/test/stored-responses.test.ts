import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { IdempotencyKeyId } from '../src/db/idempotency-keys.ts';
import { createResponseCipher } from '../src/idempotency/response-cipher.ts';

type Stored = {
  keys: { id: number; key: string }[];
  responses: { id: IdempotencyKeyId; keyId: number; encrypted: string; body: string }[];
};

// Responses as version 1.0.0 stored them, and their keys. Never generate this file again: databases hold such values.
const file = new URL('fixtures/stored-responses.json', import.meta.url);
const { keys: encodedKeys, responses } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
const keys = encodedKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));
const cipher = createResponseCipher(keys);

test.each(responses)('a stored response of key $keyId decrypts for its row only', (stored) => {
  const { id, keyId, body } = stored;
  const encrypted = Buffer.from(stored.encrypted, 'base64');
  expect(cipher.decrypt(id, keyId, encrypted)?.toString()).toBe(body);
  expect(cipher.decrypt({ ...id, key: 'another' }, keyId, encrypted)).toBeUndefined();
  const otherKeys = createResponseCipher(keys.filter((key) => key.id !== keyId));
  expect(otherKeys.decrypt(id, keyId, encrypted)).toBeUndefined();
});
