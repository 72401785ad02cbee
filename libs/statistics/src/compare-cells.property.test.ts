import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cells, shuffled, window } from '../test/cell.ts';
import { compareCells, type Comparison } from './compare-cells.ts';
import type { ComparedCell, Metric } from './cells.ts';

const metric = fc.constantFrom<Metric>(
  'score',
  'mention_rate',
  'sentiment',
  'citation_rate',
  'share_of_voice',
);

const compare = (a: ComparedCell[], b: ComparedCell[], by: Metric): Comparison =>
  compareCells(window(a), window(b), { metric: by, confidence: 0.95 });

/** Compares numbers to nine digits after the point. The verdicts and all else are equal. */
function expectSame(actual: Comparison, expected: Comparison): void {
  const numbers = ({ a, b, difference, pValue }: Comparison): number[] =>
    [a.value, b.value, difference?.value, difference?.low, difference?.high, pValue].flatMap(
      (value) => value ?? [],
    );
  const others = ({ a, b, verdict, reasons }: Comparison) => [a.units, a.prompts, b.units, verdict, reasons];
  expect(others(actual)).toEqual(others(expected));
  expect(numbers(actual).length).toBe(numbers(expected).length);
  for (const [index, value] of numbers(actual).entries()) {
    expect(value).toBeCloseTo(numbers(expected)[index] ?? Number.NaN, 9);
  }
}

test('the interval contains the difference, which is b minus a', () => {
  fc.assert(
    fc.property(cells, cells, metric, (a, b, by) => {
      const comparison = compare(a, b, by);
      const { difference } = comparison;
      if (by !== 'share_of_voice') expect(difference === null).toBe(comparison.a.prompts < 2);
      if (difference === null) return;
      expect(difference.low <= difference.value && difference.value <= difference.high).toBe(true);
      expect(difference.value).toBeCloseTo((comparison.b.value ?? 0) - (comparison.a.value ?? 0), 9);
    }),
  );
});

test('swapped windows mirror the interval and reverse the verdict', () => {
  fc.assert(
    fc.property(cells, cells, metric, (a, b, by) => {
      const there = compare(a, b, by);
      const back = compare(b, a, by);
      const reversed = {
        up: 'down',
        down: 'up',
        no_evidence: 'no_evidence',
        not_comparable: 'not_comparable',
      } as const;
      const difference = back.difference && {
        ...back.difference,
        value: -back.difference.value,
        low: -back.difference.high,
        high: -back.difference.low,
      };
      expectSame(there, {
        a: back.b,
        b: back.a,
        difference,
        pValue: back.pValue,
        verdict: reversed[back.verdict],
        reasons: back.reasons,
      });
    }),
  );
});

test('order and names of prompts do not matter', () => {
  const renamed = (given: ComparedCell[]): ComparedCell[] =>
    given.map((each) => ({ ...each, promptId: `${each.promptId}${each.promptId}` }));
  const withShuffled = cells.chain((given) => fc.tuple(fc.constant(given), shuffled(given)));
  fc.assert(
    fc.property(withShuffled, withShuffled, metric, ([a, otherA], [b, otherB], by) => {
      expectSame(compare(renamed(otherA), renamed(otherB), by), compare(a, b, by));
    }),
  );
});

test('a window does not differ from itself', () => {
  fc.assert(
    fc.property(cells, metric, (given, by) => {
      const comparison = compare(given, given, by);
      expect(comparison.a).toEqual(comparison.b);
      if (comparison.difference === null) return;
      expect(comparison.difference).toEqual({ value: 0, low: 0, high: 0, confidence: 0.95 });
      expect(comparison.verdict).toBe(comparison.a.prompts < 5 ? 'not_comparable' : 'no_evidence');
    }),
  );
});
