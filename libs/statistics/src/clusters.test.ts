import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cluster, effectiveSampleSize, intraClusterCorrelation } from './clusters.ts';

const cluster = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.record({ n: fc.constant(n), successes: fc.integer({ min: 0, max: n }) }));
const clusters = fc.array(cluster, { minLength: 2, maxLength: 30 });

describe('correlation', () => {
  test('is 1 if each prompt always gives the same answer, and prompts differ', () => {
    const given = [
      { n: 7, successes: 7 },
      { n: 3, successes: 0 },
      { n: 5, successes: 5 },
    ];
    expect(intraClusterCorrelation(given)).toBe(1);
  });

  // By hand: MSB = (4 * 0.25^2 + 4 * 0.25^2) / 1 = 0.5, MSW = (4 * 3/16 + 4 * 3/16) / 6 = 0.25, m0 = 4.
  test('of 3 in 4 and 1 in 4 is 0.25 / 1.25', () => {
    const given = [
      { n: 4, successes: 3 },
      { n: 4, successes: 1 },
    ];
    expect(intraClusterCorrelation(given)).toBeCloseTo(0.2, 12);
  });

  // Quantiles of a table: 2.0639 with 24 degrees of freedom, 2.7764 with 4, 2.3646 with 7 and 12.7062 with 1.
  test.each<[string, Cluster[], number]>([
    ['mentions in every answer', Array.from({ length: 5 }, () => ({ n: 5, successes: 5 })), 9.868],
    ['correlation of 1', Array.from({ length: 5 }, (_, i) => ({ n: 5, successes: i < 2 ? 5 : 0 })), 2.763],
    [
      'two prompts, never below 1',
      [
        { n: 4, successes: 3 },
        { n: 4, successes: 1 },
      ],
      1,
    ],
    ['one prompt', [{ n: 9, successes: 4 }], 9],
    ['one answer a prompt', Array.from({ length: 5 }, (_, i) => ({ n: 1, successes: i % 2 })), 5],
    ['no answer', [], 0],
  ])('counts answers by correlation and number of prompts: %s', (_, given, expected) => {
    expect(effectiveSampleSize(given)).toBeCloseTo(expected, 3);
  });

  test.each<[string, Cluster[]]>([
    ['no prompt', []],
    ['one prompt', [{ n: 9, successes: 4 }]],
    [
      'one prompt and one without answers',
      [
        { n: 9, successes: 4 },
        { n: 0, successes: 0 },
      ],
    ],
    [
      'mentions in every answer',
      [
        { n: 9, successes: 9 },
        { n: 4, successes: 4 },
      ],
    ],
    [
      'no mention',
      [
        { n: 9, successes: 0 },
        { n: 4, successes: 0 },
      ],
    ],
    [
      'one answer a prompt',
      [
        { n: 1, successes: 1 },
        { n: 1, successes: 0 },
      ],
    ],
    [
      'prompts that are more alike than chance',
      [
        { n: 4, successes: 2 },
        { n: 4, successes: 2 },
      ],
    ],
  ])('is 0 with %s', (_, given) => {
    expect(intraClusterCorrelation(given)).toBe(0);
  });

  test('is between 0 and 1; the effective size is between 1 and the number of answers', () => {
    fc.assert(
      fc.property(clusters, (given) => {
        const correlation = intraClusterCorrelation(given);
        const n = given.reduce((sum, each) => sum + each.n, 0);
        expect(correlation >= 0 && correlation <= 1).toBe(true);
        expect(effectiveSampleSize(given)).toBeLessThanOrEqual(n);
        expect(effectiveSampleSize(given)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('ignores the order of prompts and those without answers', () => {
    fc.assert(
      fc.property(clusters, fc.infiniteStream(fc.nat()), (given, ranks) => {
        const shuffled = given
          .map((each) => ({ each, rank: ranks.next().value ?? 0 }))
          .toSorted((one, other) => one.rank - other.rank)
          .map(({ each }) => each);
        expect(effectiveSampleSize([...shuffled, { n: 0, successes: 0 }])).toBeCloseTo(
          effectiveSampleSize(given),
          9,
        );
      }),
    );
  });

  test('grows when a mention moves from a prompt with fewer to a prompt with more', () => {
    const sameSize = fc.integer({ min: 2, max: 20 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        successes: fc.array(fc.integer({ min: 0, max: n }), { minLength: 2, maxLength: 20 }),
      }),
    );
    fc.assert(
      fc.property(sameSize, ({ n, successes }) => {
        const sorted = successes.toSorted((a, b) => a - b);
        const [least = 0, most = 0] = [sorted.at(0), sorted.at(-1)];
        fc.pre(least > 0 && most < n);
        const toClusters = (values: number[]): Cluster[] => values.map((value) => ({ n, successes: value }));
        const moved = [least - 1, ...sorted.slice(1, -1), most + 1];
        expect(intraClusterCorrelation(toClusters(moved))).toBeGreaterThanOrEqual(
          intraClusterCorrelation(toClusters(sorted)),
        );
        expect(effectiveSampleSize(toClusters(moved))).toBeLessThanOrEqual(
          effectiveSampleSize(toClusters(sorted)),
        );
      }),
    );
  });
});
