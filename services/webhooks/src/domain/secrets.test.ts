import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSecret, decryptSecret, encryptSecret, type EncryptionKey, signatureHeaders } from './secrets.ts';

const key = (id: string, fill: number): EncryptionKey => ({ id, key: Buffer.alloc(32, fill) });
const message = { id: 'evt', at: new Date(), body: '{"a":"ü"}' };

describe('secrets', () => {
  test('a new secret is whsec_ and 32 random bytes', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });
  test('encrypted with the first key, decrypted with any key, for its endpoint only', () => {
    const encrypted = encryptSecret('whsec_x', 'endpoint', [key('old', 1)]);
    expect(encrypted).not.toContain('whsec_x');
    expect(decryptSecret(encrypted, 'endpoint', [key('new', 2), key('old', 1)])).toBe('whsec_x');
    expect(decryptSecret(encrypted, 'another', [key('old', 1)])).toBeUndefined();
    expect(decryptSecret(encrypted, 'endpoint', [key('old', 3)])).toBeUndefined();
    expect(decryptSecret(encrypted, 'endpoint', [key('new', 2)])).toBeUndefined();
    expect(decryptSecret('old.short', 'endpoint', [key('old', 1)])).toBeUndefined();
    expect(() => encryptSecret('whsec_x', 'endpoint', [])).toThrow();
  });
  test('a key with another id decrypts its secrets, even when a wrong key has the original id', () => {
    const encrypted = encryptSecret('whsec_x', 'endpoint', [key('1', 1)]);
    expect(decryptSecret(encrypted, 'endpoint', [key('1', 3), key('9', 1)])).toBe('whsec_x');
  });
  test('an independent verifier accepts each signature', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders({ ...message, secrets });
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).toEqual({ a: 'ü' });
    expect(() => new Webhook(newSecret()).verify(message.body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify('{"a":"u"}', headers)).toThrow();
  });
});
