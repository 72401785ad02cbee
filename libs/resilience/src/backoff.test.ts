import { expect, test } from '@jest/globals';
import { backoffMs } from './backoff.ts';

test('a delay doubles with each retry up to its maximum, however many there were', () => {
  const delays = [0, 1, 2, 3, 4, 5, 2_000].map((retry) => backoffMs({ baseMs: 100, maxMs: 2_000 }, retry));
  expect(delays).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
});

test.each([
  [0.25, [750, 875, 1_000]],
  [0.5, [500, 750, 1_000]],
  [1, [0, 500, 1_000]],
])('a jitter of %p makes this part of the delay random', (jitter, expected) => {
  const policy = { baseMs: 500, maxMs: 5_000, jitter };
  expect([0, 0.5, 1].map((random) => backoffMs(policy, 1, random))).toEqual(expected);
});

test('without a given random number two delays with jitter differ', () => {
  const delays = Array.from({ length: 20 }, () => backoffMs({ baseMs: 1_000, maxMs: 1_000, jitter: 0.5 }, 0));
  expect(new Set(delays).size).toBeGreaterThan(1);
  for (const delay of delays) expect(delay >= 500 && delay <= 1_000).toBe(true);
});
