import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wilsonInterval } from './wilson-interval.ts';

// Newcombe, R. G. (1998), "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17,
// 857-872, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i has the published bounds', (successes, trials, low, high) => {
  const interval = wilsonInterval(successes / trials, trials);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test('is null without trials', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

const proportion = fc.double({ min: 0, max: 1, noNaN: true });
const trials = fc.double({ min: 0.5, max: 1e7, noNaN: true });

test('contains the proportion, within 0 and 1', () => {
  fc.assert(
    fc.property(proportion, trials, (p, n) => {
      const { low, high } = wilsonInterval(p, n) ?? { low: Number.NaN, high: Number.NaN };
      expect(0 <= low && low <= p && p <= high && high <= 1).toBe(true);
    }),
  );
});

test('is narrower with more trials, also by a fraction of one', () => {
  fc.assert(
    fc.property(proportion, trials, fc.double({ min: 1.01, max: 100, noNaN: true }), (p, n, factor) => {
      const width = (count: number): number => {
        const { low, high } = wilsonInterval(p, count) ?? { low: 0, high: 0 };
        return high - low;
      };
      expect(width(n * factor)).toBeLessThan(width(n));
    }),
  );
});

test('mirrors for the complement', () => {
  fc.assert(
    fc.property(proportion, trials, (p, n) => {
      const interval = wilsonInterval(p, n);
      const complement = wilsonInterval(1 - p, n);
      expect(1 - (complement?.high ?? 0)).toBeCloseTo(interval?.low ?? 0, 12);
      expect(1 - (complement?.low ?? 0)).toBeCloseTo(interval?.high ?? 0, 12);
    }),
  );
});
