import { describe, expect, test } from '@jest/globals';
import { drawDays, listDriftedDays, usualPlan } from '../bench/simulated-platform.ts';
import { hasShareDrifted, hasSizeDrifted } from './index.ts';

const toSizes = (sizes: readonly number[], units = 100) => sizes.map((size) => ({ size, units }));
const toShares = (counts: readonly number[], units = 100) => counts.map((count) => ({ count, units }));
const sizes = toSizes([900, 950, 1_000, 1_050, 1_100, 980, 1_020, 940, 1_060, 1_000]);
const shares = toShares([40, 52, 47, 61, 38, 55, 44, 58, 49, 51]);

// scipy 1.17.1: stats.t.ppf(0.99995, 9) times the standard error of a further observation, around the mean.
describe('the bounds are those of scipy', () => {
  test.each([
    [655.9, true],
    [656.1, false],
    [1_519.3, false],
    [1_519.5, true],
  ])('a size of %f', (size, expected) => {
    expect(hasSizeDrifted({ size, units: 100 }, sizes)).toBe(expected);
  });

  test.each([
    [6, true],
    [7, false],
    [92, false],
    [93, true],
  ])('a share of %i %%', (count, expected) => {
    expect(hasShareDrifted({ count, units: 100 }, shares)).toBe(expected);
  });

  test.each([
    [15, false],
    [16, true],
  ])('%i of 100 after days without any: the binomial variance is the least', (count, expected) => {
    expect(hasShareDrifted({ count, units: 100 }, toShares(Array<number>(10).fill(0)))).toBe(expected);
  });
});

test('a day with fewer units varies more; with less than half, or below 30, it is not compared', () => {
  const none = toShares(Array<number>(10).fill(0));
  expect(hasShareDrifted({ count: 16, units: 60 }, none)).toBe(true);
  expect(hasShareDrifted({ count: 12, units: 60 }, none)).toBe(false);
  expect(hasShareDrifted({ count: 49, units: 49 }, none)).toBe(false);
  expect(hasShareDrifted({ count: 29, units: 29 }, toShares(Array<number>(10).fill(0), 30))).toBe(false);
});

test('a change by less than the ratio is no drift, however certain', () => {
  expect(hasSizeDrifted({ size: 1_190, units: 100 }, toSizes(Array<number>(14).fill(1_000)))).toBe(false);
  expect(hasSizeDrifted({ size: 1_210, units: 100 }, toSizes(Array<number>(14).fill(1_000)))).toBe(true);
  // 0.1 % and 5 % are both rare.
  expect(hasShareDrifted({ count: 500, units: 10_000 }, toShares(Array<number>(14).fill(10), 10_000))).toBe(
    false,
  );
});

test('fewer than seven days with enough units are no comparison', () => {
  const few = toShares([1, 2, 1, 3, 2, 1]).concat(toShares([0, 0, 0], 29));
  expect(hasShareDrifted({ count: 100, units: 100 }, few)).toBe(false);
  expect(hasShareDrifted({ count: 100, units: 100 }, [...few, ...toShares([2])])).toBe(true);
});

test('stable answers have at most one false alarm a platform and year, also when whole days move', () => {
  const years = [30, 30, 30, 30, 100, 100].map((prompts) =>
    listDriftedDays(drawDays({ ...usualPlan, prompts, shock: 0.4 }, 365)),
  );
  expect(years.flat().length).toBeLessThanOrEqual(years.length);
});

test('links that are no longer resolved are seen on their first day, with 30 units a day', () => {
  const change = { unresolved: 0.9 };
  expect(listDriftedDays(drawDays({ ...usualPlan, prompts: 30, change }, 30, 20))).toContain(20);
});
