import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createSecretCipher } from '../src/domain/secrets.ts';

type Stored = {
  keys: { id: string; key: string }[];
  secrets: { endpointId: string; secret: string; encrypted: string }[];
};

// Secrets as version 1.0.0 stored them, and their keys. Never generate this file again: databases hold such values.
const file = new URL('fixtures/stored-secrets.json', import.meta.url);
const { keys: encodedKeys, secrets } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
const keys = encodedKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));

test.each(secrets)('a stored secret decrypts for its endpoint only', ({ endpointId, secret, encrypted }) => {
  const cipher = createSecretCipher(keys);
  expect(cipher.decrypt(encrypted, endpointId)).toBe(secret);
  expect(cipher.decrypt(encrypted, 'another')).toBeUndefined();
  const [keyId] = encrypted.split('.');
  const otherKeys = createSecretCipher(keys.filter(({ id }) => id !== keyId));
  expect(otherKeys.decrypt(encrypted, endpointId)).toBeUndefined();
});
