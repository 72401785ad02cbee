import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { hashKey, hasKeyShape, getKeyPrefix, mintKey } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('a minted key', () => {
  test('has the shape, the live prefix, and a checksum of the rest', () => {
    const key = mintKey();
    expect(hasKeyShape(key)).toBe(true);
    expect(key).toHaveLength(52);
    const sum = Array.from(key.slice(-6)).reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
    expect(getKeyPrefix(key)).toBe(key.slice(0, 12));
  });

  test('uses all 62 characters evenly', () => {
    const counts = new Map<string, number>();
    const samples = 2_000;
    for (let index = 0; index < samples; index += 1) {
      for (const character of mintKey().slice(9, 46)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (samples * 37) / 62;
    expect(counts.size).toBe(62);
    // Modulo bias would raise the first eight characters by a quarter.
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.2);
  });
});

describe('shape', () => {
  test.each([
    ['bvk_test_' + 'a'.repeat(43), false],
    ['bvk_live_' + 'a'.repeat(43), true],
    ['bvk_live_' + 'a'.repeat(42), false],
    ['bvk_live_' + 'a'.repeat(44), false],
    ['bvk_live_' + 'a'.repeat(42) + '-', false],
    ['BVK_LIVE_' + 'a'.repeat(43), false],
    ['bvk_live_' + 'a'.repeat(43) + '\n', false],
    ['', false],
  ])('%j: %s', (value, expected) => {
    expect(hasKeyShape(value)).toBe(expected);
  });
});

test('a hash depends on the pepper and returns its id', () => {
  const peppers = [1, 2].map((id) => ({ id, key: randomBytes(32) }));
  const [first, second] = hashKey('key', peppers);
  expect([first?.pepperId, second?.pepperId]).toEqual([1, 2]);
  expect(first?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(first?.hash).not.toBe(second?.hash);
});
