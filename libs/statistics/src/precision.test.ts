import { describe, expect, test } from '@jest/globals';
import { countCovered, countFound } from '../bench/simulated-precision.ts';
import { measurePrecision, type PrecisionInput } from './precision.ts';
import type { ObservedCell } from './variance-components.ts';

/** Each prompt has a list of answers in each of two strata, 100 with a mention and else 0. */
const toCells = (prompts: readonly (readonly [string, string])[]): ObservedCell[] =>
  prompts.flatMap((strata, index) =>
    strata.map((answers, stratum) => {
      const mentioned = answers.split('').filter((answer) => answer === '1').length;
      return {
        prompt: `p${index}`,
        stratum: `s${stratum}`,
        n: answers.length,
        sum: 100 * mentioned,
        squares: 10_000 * mentioned,
      };
    }),
  );

const varied = toCells([
  ['111', '010'],
  ['000', '110'],
  ['101', '111'],
  ['000', '000'],
  ['110', '001'],
]);
const measure = (cells: readonly ObservedCell[], given: Partial<PrecisionInput> = {}) =>
  measurePrecision({ cells, days: 3, width: 5, history: { 7: [], 28: [] }, ...given });

test('a balanced level has the t interval of the means of its prompts', () => {
  const { level } = measure(varied);
  // t(4) is 2.776445.
  const means = [400, 200, 500, 0, 300].map((sum) => sum / 6);
  const centre = means.reduce((sum, each) => sum + each, 0) / 5;
  const variance = means.reduce((sum, each) => sum + (each - centre) ** 2, 0) / 4;
  expect(level.value).toBeCloseTo(centre, 9);
  expect(level.halfWidth).toBeCloseTo(2.776445 * Math.sqrt(variance / 5), 4);
  expect(level.low).toBeCloseTo(centre - level.halfWidth!, 9);
  expect(level.high).toBeCloseTo(centre + level.halfWidth!, 9);
});

test('shares add up to 100 %, and their bounds contain them', () => {
  const { variance } = measure(varied);
  const { total, ...components } = variance;
  const shares = Object.values(components);
  expect(total).toBeGreaterThan(0);
  expect(shares.reduce((sum, { share }) => sum + share!, 0)).toBeCloseTo(100, 9);
  for (const { share, low, high } of shares) {
    expect(low).toBeLessThanOrEqual(share!);
    expect(high).toBeGreaterThanOrEqual(share!);
  }
});

describe('the smallest detectable change', () => {
  test('comes from the differences of past windows, pooled by their degrees of freedom', () => {
    const history = [
      { prompts: 5, variance: 100 },
      { prompts: 3, variance: 400 },
    ];
    const { smallestDetectable, lacksHistory } = measure(varied, { history: { 7: history, 28: history } });
    // Quantiles of t(4) at 97.5 % and 80 %.
    const expected = (2.776445 + 0.940965) * Math.sqrt((4 * 100 + 2 * 400) / 6 / 5);
    expect(smallestDetectable[7]).toBeCloseTo(expected, 4);
    expect(lacksHistory).toBe(false);
  });

  test('comes from the repeats with fewer than two pairs of windows', () => {
    const history = { 7: [{ prompts: 5, variance: 100 }], 28: [] };
    const { smallestDetectable, variance, lacksHistory } = measure(varied, { history });
    const repeat = (variance.repeat.share! * variance.total!) / 100;
    // Three days have three answers in each of two strata, so that seven days have seven.
    const expected = (2.776445 + 0.940965) * Math.sqrt((2 * repeat) / (2 * 7) / 5);
    expect(smallestDetectable[7]).toBeCloseTo(expected, 4);
    expect(lacksHistory).toBe(true);
  });
});

test('options are in order of their answers, and the first that is narrow enough is recommended', () => {
  const { options, recommended } = measure(varied, { width: 15 });
  expect(options).toHaveLength(20);
  expect(options.slice(0, 3)).toMatchObject([
    { prompts: 5, repeatsPerDay: 1, unitsPerDay: 10 },
    { prompts: 10, repeatsPerDay: 1, unitsPerDay: 20 },
    { prompts: 5, repeatsPerDay: 2, unitsPerDay: 20 },
  ]);
  expect(options[recommended!]!.halfWidth).toBeLessThanOrEqual(15);
  for (const option of options.slice(0, recommended!)) expect(option.halfWidth).toBeGreaterThan(15);
});

test('the present option has the present precision', () => {
  const { options, level } = measure(varied);
  expect(options[0]!.halfWidth).toBeCloseTo(level.halfWidth!, 9);
});

test.each([
  ['four prompts', varied.slice(0, 8)],
  ['one answer in most cells', varied.map((cell, index) => (index < 4 ? cell : { ...cell, n: 1 }))],
  ['no answer', []],
])('%s: the level only', (_, cells) => {
  expect(measure(cells)).toMatchObject({
    level: { value: cells.length > 0 ? expect.any(Number) : null, low: null, halfWidth: null },
    variance: { prompt: { share: null, low: null }, total: null },
    smallestDetectable: { 7: null, 28: null },
    limitedBy: 'too_few',
    grade: 'exploratory',
    options: [],
    recommended: null,
  });
});

test('prompts that agree are limited by repeats', () => {
  const same = toCells(Array.from({ length: 20 }, () => ['0110', '1001']));
  expect(measure(same)).toMatchObject({ limitedBy: 'repeats' });
});

test.each([
  [5, 20, 'decision_grade', []],
  [5, 19, 'directional', ['too_few_prompts']],
  [0.01, 20, 'exploratory', ['too_wide']],
])('a width of %d with %d prompts is %s', (width, prompts, grade, gradeReasons) => {
  // Two of twenty prompts differ a little from the others.
  const answers = `1${'0'.repeat(49)}`;
  const cells = toCells(
    Array.from({ length: prompts }, (_, index) => [index < 2 ? '0'.repeat(50) : answers, answers]),
  );
  expect(measure(cells, { width })).toMatchObject({ grade, gradeReasons });
});

test('simulated intervals are right as often as they say, and simulated changes are found', () => {
  const covered = countCovered(400, 40, 0.35);
  expect(covered / 400).toBeGreaterThan(0.93);
  expect(covered / 400).toBeLessThan(0.97);
  const { up, down } = countFound(200, 10);
  expect((up + down) / 200).toBeGreaterThan(0.76);
  expect((up + down) / 200).toBeLessThan(0.84);
});
