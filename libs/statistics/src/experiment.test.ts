import { expect, test } from '@jest/globals';
import { countExperiments } from '../bench/simulated-experiment.ts';
import { cell, window } from '../test/cell.ts';
import { type CellPeriod, createArmSeries } from './arm-series.ts';
import { compareArms, permutationTest } from './arms.ts';
import type { ComparedCell } from './cells.ts';
import { estimateExperiment, smallestDetectableEffect } from './experiment.ts';

const prompts = {
  treated: ['t1', 't2', 't3', 't4', 't5', 't6'],
  control: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'],
};
const all = [...prompts.treated, ...prompts.control];
const periods = { pre: { from: 0, to: 27 }, post: { from: 35, to: 62 } };
const tests = { seed: 7, washoutDays: 7, postDays: 28 };

/** A rate of each prompt and day, in percent. */
type Rate = (prompt: string, day: number) => number;

const rowsOf = (rate: Rate, ids = all, count = 63): CellPeriod[] =>
  ids.flatMap((promptId) =>
    Array.from({ length: count }, (_, period) => ({
      promptId,
      country: 'US',
      platform: 'chatgpt',
      period,
      units: 2,
      part: 2 * rate(promptId, period),
      whole: 2,
    })),
  );

const cellsOf = (ids: readonly string[], given: Partial<ComparedCell> = {}): ComparedCell[] =>
  ids.map((promptId) => cell({ promptId, units: 56, ...given }));

const estimate = async (rate: Rate, post: ComparedCell[] = cellsOf(all), rows = rowsOf(rate)) =>
  estimateExperiment({
    series: await createArmSeries([rows], prompts, 63),
    periods,
    windows: { pre: window(cellsOf(all)), post: window(post) },
    dependsOnCompetitors: true,
    tests,
  });

const isTreated = (prompt: string): boolean => prompt.startsWith('t');
/** 20 % and more, different for each prompt; treated ones gain `effect` points from day 28. */
const rising =
  (effect: number): Rate =>
  (prompt, day) =>
    20 +
    Number(prompt.slice(1)) +
    ((day * 7 + Number(prompt.slice(1)) * 3) % 5) +
    (day >= 28 && isTreated(prompt) ? effect : 0);

test('an effect is what the treated prompts gained more, with a verdict and its placebos', async () => {
  const found = await estimate(rising(10));
  expect(found.effect!.value).toBeCloseTo(10, 6);
  expect(found.effect!.low).toBeGreaterThan(0);
  // Only the two splits into these arms differ as much: 2 of 924.
  expect(found.tests!.pValue).toBe(0.0022);
  expect(found).toMatchObject({
    tests: { placeboPValue: 0, verdict: 'up' },
    reasons: [],
    treated: { prompts: 6, unitsBefore: 336, unitsAfter: 336 },
  });
  expect(found.treated.after! - found.treated.before!).toBeCloseTo(10, 0);
  expect((await estimate(rising(-10))).tests!.verdict).toBe('down');
});

test('a change of all prompts is none, and equal changes have a p-value of 1', async () => {
  const found = await estimate((_, day) => (day < 28 ? 20 : 60));
  expect(found.effect).toEqual({ value: 0, low: 0, high: 0, confidence: 0.95 });
  expect(found).toMatchObject({ tests: { pValue: 1, verdict: 'no_evidence' }, reasons: [] });
});

test('cells and prompts without an answer in both windows do not count', async () => {
  const rows = rowsOf(rising(10)).filter(({ promptId, period }) => promptId !== 't1' || period < 28);
  rows.push({ ...rows[0]!, platform: 'gemini', period: 1, part: 200 });
  const found = await estimate(rising(10), cellsOf(all), rows);
  expect(found.treated.prompts).toBe(5);
  expect(found.effect!.value).toBeCloseTo(10, 6);
  const few = rows.filter(({ promptId, period }) => promptId !== 't2' || period < 28);
  expect(await estimate(rising(10), cellsOf(all), few)).toMatchObject({
    tests: { verdict: 'not_comparable' },
    reasons: ['too_few'],
  });
  const untreated = rows.filter(({ promptId, period }) => !isTreated(promptId) || period < 28);
  expect(await estimate(rising(10), cellsOf(all), untreated)).toMatchObject({
    treated: { before: null },
    reasons: ['too_few'],
  });
});

test('arms that already moved apart, or that differ by more than 15 points, are named', async () => {
  const apart: Rate = (prompt, day) => (isTreated(prompt) ? 20 + day / 4 + Number(prompt.slice(1)) / 9 : 20);
  expect((await estimate(apart)).reasons).toEqual(['pre_trend']);
  expect((await estimate((prompt) => (isTreated(prompt) ? 40 : 20))).reasons).toEqual(['arms_differ']);
});

test('a new model on a platform of both arms is a reason, of one arm it blocks the verdict', async () => {
  const swapped = { models: ['gpt-6'] };
  const both = await estimate(rising(10), cellsOf(all, swapped));
  expect(both).toMatchObject({ tests: { verdict: 'up' }, reasons: ['model_changed'] });
  const rows = rowsOf(rising(10)).map((row) =>
    isTreated(row.promptId) ? { ...row, platform: 'gemini' } : row,
  );
  const one = await estimateExperiment({
    series: await createArmSeries([rows], prompts, 63),
    periods,
    windows: {
      pre: window([...cellsOf(prompts.treated, { platform: 'gemini' }), ...cellsOf(prompts.control)]),
      post: window([
        ...cellsOf(prompts.treated, { platform: 'gemini', ...swapped }),
        ...cellsOf(prompts.control),
      ]),
    },
    dependsOnCompetitors: true,
    tests,
  });
  expect(one).toMatchObject({ tests: { verdict: 'not_comparable' }, reasons: ['model_changed'] });
});

test.each([
  ['method_changed', { methodVersions: ['5'] }, 'not_comparable'],
  ['incomplete', { scans: { total: 100, failed: 21 } }, 'not_comparable'],
])('%s blocks the verdict', async (reason, others, verdict) => {
  const found = await estimateExperiment({
    series: await createArmSeries([rowsOf(rising(10))], prompts, 63),
    periods,
    windows: { pre: window(cellsOf(all)), post: window(cellsOf(all), others) },
    dependsOnCompetitors: true,
    tests,
  });
  expect(found).toMatchObject({ tests: { verdict }, reasons: [reason] });
});

test('other competitors are a reason of a metric that depends on them', async () => {
  const found = await estimate(rising(10), cellsOf(all, { searchedBrands: ['other'] }));
  expect(found).toMatchObject({ tests: { verdict: 'up' }, reasons: ['competitors_changed'] });
});

test('too few earlier start days give no placebo', async () => {
  const short = { pre: { from: 0, to: 18 }, post: { from: 19, to: 30 } };
  const input = {
    windows: { pre: window([]), post: window([]) },
    dependsOnCompetitors: false,
    tests: { seed: 7, washoutDays: 0, postDays: 12 },
    series: await createArmSeries([rowsOf(rising(10))], prompts, 63),
  };
  // Starts on days 7 to 12.
  expect((await estimateExperiment({ ...input, periods: short })).tests!.placeboPValue).toBeNull();
  const longer = { ...short, pre: { from: 0, to: 19 } };
  expect((await estimateExperiment({ ...input, periods: longer })).tests!.placeboPValue).toBe(0);
});

test('the smallest detectable effect pools the changes of earlier windows', async () => {
  // Each prompt alternates by 2 points between weeks, in one of two directions: s² is 4 × 4 × 12 / 11.
  const rate: Rate = (prompt, week) =>
    40 + 2 * (week % 2 === 0 ? 1 : -1) * (Number(prompt.slice(1)) % 2 === 0 ? 1 : -1);
  const series = await createArmSeries([rowsOf(rate, all, 4)], prompts, 4);
  const sizes = { treated: 6, control: 6 };
  const found = smallestDetectableEffect(series, { periods: 4, prompts: sizes });
  // t(0.975, 10) + t(0.8, 10) = 2.228139 + 0.879058.
  expect(found).toBeCloseTo((2.228139 + 0.879058) * Math.sqrt(((16 * 12) / 11) * (2 / 6)), 4);
  expect(smallestDetectableEffect(series, { periods: 2, prompts: sizes })).toBeNull();
});

test('more splits than 20,000 are drawn: the p-value is that of all splits, and the same for a seed', async () => {
  const values = {
    treated: Array.from({ length: 12 }, (_, index) => 4 + index),
    control: Array.from({ length: 12 }, (_, index) => index * 1.1),
  };
  const drawn = await permutationTest(values, 1);
  expect(await permutationTest(values, 1)).toBe(drawn);
  // The t test of these values has p = 0.036.
  expect(drawn).toBeGreaterThan(0.02);
  expect(drawn).toBeLessThan(0.07);
  expect(compareArms({ treated: [1], control: [1, 2] })).toBeNull();
});

test('by chance few experiments find an effect, and most intervals contain it', async () => {
  const { found, covered } = await countExperiments(200, {});
  expect(found).toBeLessThanOrEqual(20);
  expect(covered).toBeGreaterThanOrEqual(180);
  expect((await countExperiments(50, { effect: 0.2 })).found).toBeGreaterThanOrEqual(45);
});
