import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSecret, openSecret, sealSecret, type SealingKey, signatureHeaders } from './secrets.ts';

const key = (id: string, fill: number): SealingKey => ({ id, key: Buffer.alloc(32, fill) });
const message = { id: 'evt', at: new Date(), body: '{"a":"ü"}' };

describe('secrets', () => {
  test('whsec_ and 32 bytes, never the same', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });
  test('sealed under the first key, opened under any, for its endpoint alone', () => {
    const sealed = sealSecret('whsec_x', 'endpoint', [key('old', 1)]);
    expect(sealed).not.toContain('whsec_x');
    expect(openSecret(sealed, 'endpoint', [key('new', 2), key('old', 1)])).toBe('whsec_x');
    expect(openSecret(sealed, 'another', [key('old', 1)])).toBeUndefined();
    expect(openSecret(sealed, 'endpoint', [key('old', 3)])).toBeUndefined();
    expect(openSecret(sealed, 'endpoint', [key('new', 2)])).toBeUndefined();
    expect(openSecret('old.short', 'endpoint', [key('old', 1)])).toBeUndefined();
    expect(() => sealSecret('whsec_x', 'endpoint', [])).toThrow();
  });
  test('where another key has its id, the right one opens it under any other', () => {
    const sealed = sealSecret('whsec_x', 'endpoint', [key('1', 1)]);
    expect(openSecret(sealed, 'endpoint', [key('1', 3), key('9', 1)])).toBe('whsec_x');
  });
  test('an independent verifier takes every one of the signatures', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders({ ...message, secrets });
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).toEqual({ a: 'ü' });
    expect(() => new Webhook(newSecret()).verify(message.body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify('{"a":"u"}', headers)).toThrow();
  });
});
