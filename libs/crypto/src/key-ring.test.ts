import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createKeyRing, type EncryptionKey, type Layout } from './key-ring.ts';

const createKey = (id: number | string): EncryptionKey<number | string> => ({ id, key: randomBytes(32) });
const row = Buffer.from('row 1');
const plaintext = Buffer.from('secret ✓');
const layouts: Layout[] = ['iv-ciphertext-tag', 'iv-tag-ciphertext'];

/** Where the tag and the ciphertext stand, written out once more. */
const positions = {
  'iv-ciphertext-tag': (bytes: Buffer) => ({ ciphertext: bytes.subarray(12, -16), tag: bytes.subarray(-16) }),
  'iv-tag-ciphertext': (bytes: Buffer) => ({ ciphertext: bytes.subarray(28), tag: bytes.subarray(12, 28) }),
};

describe.each(layouts)('layout %s', (layout) => {
  test.each(['', 'a', 'x'.repeat(10_000)])('is AES-256-GCM in this order', (text) => {
    const key = createKey(1);
    const bytes = createKeyRing([key], layout).encrypt(Buffer.from(text), row);
    expect(bytes).toHaveLength(28 + text.length);
    const { ciphertext, tag } = positions[layout](bytes);
    const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, 12));
    decipher.setAAD(row).setAuthTag(tag);
    expect(decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')).toBe(text);
  });

  test('the first key encrypts, all keys decrypt, a removed key does not', () => {
    const [older, newer] = [createKey(1), createKey(2)];
    const before = createKeyRing([older], layout).encrypt(plaintext, row);
    const ring = createKeyRing([newer, older], layout);
    expect(ring.decrypt(1, before, row)).toEqual(plaintext);
    expect(ring.currentId).toBe(2);
    const after = ring.encrypt(plaintext, row);
    const rotated = createKeyRing([newer], layout);
    expect(rotated.decrypt(2, after, row)).toEqual(plaintext);
    expect(rotated.decrypt(1, before, row)).toBeUndefined();
    expect(rotated.decryptWithAnyKey(1, before, row)).toBeUndefined();
  });

  test('the same text never has the same bytes', () => {
    const ring = createKeyRing([createKey(1)], layout);
    expect(ring.encrypt(plaintext, row)).not.toEqual(ring.encrypt(plaintext, row));
  });

  test('a flipped bit, a missing byte or another row does not decrypt', () => {
    const ring = createKeyRing([createKey(1)], layout);
    const bytes = ring.encrypt(plaintext, row);
    for (let at = 0; at < bytes.length; at += 1) {
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ bit;
        expect(ring.decrypt(1, changed, row)).toBeUndefined();
      }
      expect(ring.decrypt(1, bytes.subarray(0, at), row)).toBeUndefined();
      expect(ring.decryptWithAnyKey(1, bytes.subarray(0, at), row)).toBeUndefined();
    }
    expect(ring.decrypt(1, Buffer.concat([bytes, Buffer.of(0)]), row)).toBeUndefined();
    expect(ring.decrypt(1, bytes, Buffer.from('row 2'))).toBeUndefined();
    expect(ring.decrypt(1, bytes, row)).toEqual(plaintext);
  });

  test('a wrong key under the id does not decrypt; any key finds the right one under another id', () => {
    const right = createKey('1');
    const bytes = createKeyRing([right], layout).encrypt(plaintext, row);
    const ring = createKeyRing([createKey('1'), { id: '9', key: right.key }], layout);
    expect(ring.decrypt('1', bytes, row)).toBeUndefined();
    expect(ring.decryptWithAnyKey('1', bytes, row)).toEqual(plaintext);
    expect(ring.decryptWithAnyKey(undefined, bytes, row)).toEqual(plaintext);
    expect(ring.decryptWithAnyKey('1', bytes, Buffer.from('row 2'))).toBeUndefined();
  });
});

test.each([
  ['no key', [], 'at least one key'],
  ['a short key', [{ id: 1, key: randomBytes(16) }], '32 bytes'],
  ['two keys with one id', [createKey(3), createKey(3)], 'must differ'],
])('%s: the ring is not created', (_, keys, message) => {
  expect(() => createKeyRing(keys, 'iv-ciphertext-tag')).toThrow(message);
});
