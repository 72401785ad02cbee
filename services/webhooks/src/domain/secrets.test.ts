import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { EncryptionKey } from '@bv/crypto';
import {
  createSecretCipher,
  createSigningKeys,
  newSecret,
  signatureHeaders,
  toSigningKey,
} from './secrets.ts';

const key = (id: string, fill: number): EncryptionKey<string> => ({ id, key: Buffer.alloc(32, fill) });
const decryptWith = (encrypted: string, keys: EncryptionKey<string>[], endpointId = 'endpoint') =>
  createSecretCipher(keys).decrypt(encrypted, endpointId);
const message = { id: 'evt', at: new Date(), body: '{"a":"ü"}' };

describe('secrets', () => {
  test('a new secret is whsec_ and 32 random bytes', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });
  test('encrypted with the first key, decrypted with any key, for its endpoint only', () => {
    const encrypted = createSecretCipher([key('old', 1), key('older', 2)]).encrypt('whsec_x', 'endpoint');
    expect(encrypted).toMatch(/^old\./);
    expect(encrypted).not.toContain('whsec_x');
    expect(decryptWith(encrypted, [key('new', 2), key('old', 1)])).toBe('whsec_x');
    expect(decryptWith(encrypted, [key('old', 1)], 'another')).toBeUndefined();
    expect(decryptWith(encrypted, [key('old', 3)])).toBeUndefined();
    expect(decryptWith(encrypted, [key('new', 2)])).toBeUndefined();
    expect(decryptWith('old.short', [key('old', 1)])).toBeUndefined();
    expect(() => createSecretCipher([])).toThrow();
  });
  test('a key with another id decrypts its secrets, even when a wrong key has the original id', () => {
    const encrypted = createSecretCipher([key('1', 1)]).encrypt('whsec_x', 'endpoint');
    expect(decryptWith(encrypted, [key('1', 3), key('9', 1)])).toBe('whsec_x');
  });
  test('a signing key is cached for its endpoint and encrypted secret', () => {
    const cipher = createSecretCipher([key('k', 1)]);
    const signingKeys = createSigningKeys(cipher);
    const secrets = [newSecret(), newSecret()];
    for (const secret of secrets) {
      const encrypted = cipher.encrypt(secret, 'endpoint');
      const found = signingKeys(encrypted, 'endpoint');
      expect(found?.export()).toEqual(toSigningKey(secret).export());
      expect(signingKeys(encrypted, 'endpoint')).toBe(found);
      expect(signingKeys(encrypted, 'another')).toBeUndefined();
    }
  });
  test('of more than 1,000 keys, the least recently used are removed', () => {
    const cipher = createSecretCipher([key('k', 1)]);
    const signingKeys = createSigningKeys(cipher);
    const encrypted = Array.from({ length: 1_001 }, () => cipher.encrypt(newSecret(), 'endpoint'));
    const find = (index: number) => signingKeys(encrypted[index] ?? '', 'endpoint');
    const kept = find(0);
    const removed = find(1);
    for (let index = 2; index < 1_000; index += 1) find(index);
    expect(find(0)).toBe(kept);
    find(1_000);
    expect(find(0)).toBe(kept);
    const again = find(1);
    expect(again).not.toBe(removed);
    expect(again?.export()).toEqual(removed?.export());
  });
  test('an independent verifier accepts each signature', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders({ ...message, keys: secrets.map(toSigningKey) });
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).toEqual({ a: 'ü' });
    expect(() => new Webhook(newSecret()).verify(message.body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify('{"a":"u"}', headers)).toThrow();
  });
});
