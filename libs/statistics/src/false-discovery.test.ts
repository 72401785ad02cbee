import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Comparison } from './compare-cells.ts';
import { decideChanges } from './false-discovery.ts';

const compared = (pValue: number | null, value = 1, width = 1): Comparison => ({
  a: { value: 10, units: 10, unitsFailed: 0, prompts: 5 },
  b: { value: 10 + value, units: 10, unitsFailed: 0, prompts: 5 },
  difference: pValue === null ? null : { value, low: value - width, high: value + width, confidence: 0.95 },
  pValue,
  verdict: pValue === null ? 'not_comparable' : 'no_evidence',
  reasons: [],
});

/** Table 1 of Benjamini and Hochberg (1995): of 15 p-values, four are significant at 0.05. */
const published = [
  0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
  0.759, 1,
];

test('of the published p-values, the four smallest are changes at a rate of 0.05', () => {
  const decided = decideChanges(
    published.toReversed().map((p) => compared(p, -1)),
    0.05,
  );
  expect(decided.map(({ verdict }) => verdict).toReversed()).toEqual(
    published.map((_, index) => (index < 4 ? 'down' : 'no_evidence')),
  );
});

test('a row without a p-value is not comparable, and does not count among the tests', () => {
  const [only, other] = decideChanges([compared(0.04), compared(null)], 0.05);
  expect(only).toEqual({ pValue: 0.04, qValue: 0.04, verdict: 'up' });
  expect(other).toEqual({ pValue: null, qValue: null, verdict: 'not_comparable' });
});

test('equal differences that are a rounding error are no change, though their p-value is 0', () => {
  expect(decideChanges([compared(0, 1e-14, 0)], 0.05)).toEqual([
    { pValue: 1, qValue: 1, verdict: 'no_evidence' },
  ]);
});

test('equal differences of five prompts are as likely by chance as 1 in 256, though their p-value is 0', () => {
  expect(decideChanges([compared(0, 20, 0)], 0.05)).toEqual([
    { pValue: 1 / 256, qValue: 1 / 256, verdict: 'up' },
  ]);
});

test('a q-value is at least its p-value, at most 1, and has the order of the p-values', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (pValues) => {
      const sorted = pValues.toSorted((a, b) => a - b);
      const qValues = decideChanges(
        sorted.map((p) => compared(p)),
        0.05,
      ).map(({ qValue }) => qValue ?? -1);
      for (const [index, q] of qValues.entries()) {
        expect(q).toBeGreaterThanOrEqual(sorted[index] ?? 2);
        expect(q).toBeLessThanOrEqual(1);
        expect(q).toBeGreaterThanOrEqual(qValues[index - 1] ?? 0);
      }
    }),
  );
});
