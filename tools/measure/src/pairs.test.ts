import { expect, test } from '@jest/globals';
import { measurePairs, medianRatio } from './pairs.ts';

const accepting = { sample: <T>(_name: string, take: () => Promise<T>): Promise<T> => take() };

test('a round that is slow as a whole does not change the ratio', () => {
  const pairs = [
    { own: 4, base: 2 },
    { own: 40, base: 20 },
    { own: 5, base: 2 },
  ];
  expect(medianRatio(pairs)).toBe(2);
});

test('alternates, and does not count the first round', async () => {
  const calls: string[] = [];
  const call = (name: string) => () => Promise.resolve(calls.push(name));
  const pairs = await measurePairs({
    sampler: accepting,
    name: 'calls',
    rounds: 2,
    own: call('own'),
    base: call('base'),
  });
  expect(calls).toEqual(['own', 'base', 'own', 'base', 'own', 'base']);
  expect(pairs).toEqual([
    { own: 3, base: 4 },
    { own: 5, base: 6 },
  ]);
});

test('drops the rounds of a disturbed sample', async () => {
  let samples = 0;
  const sampler = {
    sample: async <T>(_name: string, take: () => Promise<T>): Promise<T> => {
      samples += 1;
      if (samples === 1) await take();
      return take();
    },
  };
  let count = 0;
  const own = () => Promise.resolve((count += 1));
  const pairs = await measurePairs({ sampler, name: 'own', rounds: 3, own, base: () => Promise.resolve(1) });
  // One to warm up, three in the disturbed sample, three in its repetition.
  expect(pairs.map((pair) => pair.own)).toEqual([5, 6, 7]);
});
