import type { Comparison } from '@bv/statistics';
import { expect, test } from '@jest/globals';
import { toScoreComparison } from './score-comparison.ts';

const series = { metric: 'score', country: null, platform: null } as const;
const days = { from: '2026-11-08', to: '2026-11-14' };

function show(low: number, value: number, high: number) {
  const figures = { value: 40, units: 10, unitsFailed: 0, prompts: 5 };
  const comparison: Comparison = {
    a: figures,
    b: figures,
    difference: { low, value, high, confidence: 0.95 },
    pValue: 0.01,
    verdict: 'up',
    reasons: [],
  };
  return toScoreComparison(series, { a: days, b: days }, comparison).difference;
}

test.each([
  // A bound that excludes 0 is not shown as 0.
  [0.002, 4.125, 8.248, 0.01, 4.13, 8.25],
  [-8.248, -4.125, -0.002, -8.25, -4.13, -0.01],
  [0.001, 0.002, 0.003, 0.01, 0.01, 0.01],
  [0.0049, 0.006, 0.014, 0.01, 0.01, 0.01],
  // Nor is one that includes it.
  [-0.002, 4, 8, -0.01, 4, 8],
  // The value is 0 like the rounded means.
  [-1, 0.003, 1, -1, 0, 1],
  // Equal means may differ by a rounding error.
  [-1e-10, 0, 1e-10, 0, 0, 0],
])('%d, %d and %d are shown as %d, %d and %d', (low, value, high, shownLow, shownValue, shownHigh) => {
  expect(show(low, value, high)).toEqual({
    low: shownLow,
    value: shownValue,
    high: shownHigh,
    confidence: 0.95,
  });
});
