import { expect, test } from '@jest/globals';
import { createJudgeCache } from './judge-cache.ts';

const judgements = (quote: string) => new Map([[0, { sentiment: 50, quote, meansBrand: true }]]);

test('judgements are kept by key, the least recently used are removed beyond the bytes', () => {
  const cache = createJudgeCache(1_000);
  for (const key of ['a', 'b', 'c']) cache.set(key, judgements(key));
  expect(cache.get('a')).toEqual(judgements('a'));
  cache.set('d', judgements('d'));
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd']);
});

test('an entry above the bytes is not kept and the count of bytes stays correct', () => {
  const cache = createJudgeCache(1_000);
  cache.set('large', judgements('x'.repeat(10_000)));
  expect(cache.get('large')).toBeUndefined();
  for (let round = 0; round < 100; round += 1) cache.set('same', judgements('same'));
  cache.set('other', judgements('other'));
  expect([cache.get('same'), cache.get('other')]).toEqual([judgements('same'), judgements('other')]);
});
