import { expect, test } from '@jest/globals';
import { createLruCache } from './lru-cache.ts';

const sizeOf = (value: string): number => value.length;

test('values are kept by key, the least recently used are removed beyond the size', () => {
  const cache = createLruCache(3, sizeOf);
  for (const key of ['a', 'b', 'c']) cache.set(key, key);
  expect(cache.get('a')).toBe('a');
  cache.set('d', 'd');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd']);
});

test('a value above the size is not kept and the total stays correct', () => {
  const cache = createLruCache(10, sizeOf);
  cache.set('large', 'x'.repeat(11));
  expect(cache.get('large')).toBeUndefined();
  for (let round = 0; round < 100; round += 1) cache.set('same', '12345');
  cache.set('other', '67890');
  expect([cache.get('same'), cache.get('other')]).toEqual(['12345', '67890']);
});
