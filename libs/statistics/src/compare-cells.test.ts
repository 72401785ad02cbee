import { describe, expect, test } from '@jest/globals';
import { ComparisonReason } from '@bv/contract';
import { cell, window } from '../test/cell.ts';
import type { ComparedCell, ComparedWindow, Metric } from './cells.ts';
import { compareCells, type Comparison } from './compare-cells.ts';

const compareBy = (a: ComparedWindow, b: ComparedWindow, metric: Metric): Comparison =>
  compareCells(a, b, { metric, confidence: 0.95 });

/** One cell of ten answers for each prompt, with these numbers of mentions. */
const prompts = (mentioned: number[], given: Partial<ComparedCell> = {}): ComparedCell[] =>
  mentioned.map((count, index) =>
    cell({ promptId: `prompt-${index}`, units: 10, mentioned: count, ...given }),
  );

const before = [1, 2, 3, 4, 5, 6];
const higher = [5, 6, 8, 7, 9, 9];

describe('verdict', () => {
  test.each([
    ['up', before, higher],
    ['down', higher, before],
    ['no_evidence', before, [2, 1, 3, 5, 4, 6]],
    ['no_evidence', before, before],
  ] as const)('%s of prompts with %j and %j mentions', (verdict, a, b) => {
    const comparison = compareBy(window(prompts([...a])), window(prompts([...b])), 'mention_rate');
    expect(comparison).toMatchObject({ verdict, reasons: [] });
  });

  test('needs five prompts; the difference needs two', () => {
    const compare = (count: number) =>
      compareBy(
        window(prompts(before.slice(0, count))),
        window(prompts(higher.slice(0, count))),
        'mention_rate',
      );
    expect(compare(5)).toMatchObject({ verdict: 'up', reasons: [] });
    expect(compare(4)).toMatchObject({ verdict: 'not_comparable', reasons: ['too_few'] });
    expect(compare(2).difference).toMatchObject({ value: 40, low: 40, high: 40, confidence: 0.95 });
    expect(compare(1)).toEqual({
      a: { value: 10, units: 10, unitsFailed: 0, prompts: 1 },
      b: { value: 50, units: 10, unitsFailed: 0, prompts: 1 },
      difference: null,
      pValue: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    });
  });

  test('is up with an interval of width 0 when all prompts changed by the same', () => {
    const comparison = compareBy(
      window(prompts([0, 1, 2, 3, 4])),
      window(prompts([2, 3, 4, 5, 6])),
      'mention_rate',
    );
    expect(comparison.verdict).toBe('up');
    expect(comparison.difference?.low).toBeCloseTo(20, 9);
    expect(comparison.difference?.high).toBeCloseTo(20, 9);
  });

  test('is not up because of rounding errors in sums of the same scores', () => {
    const score = 100 / 1.1;
    const added = [score, score, score].reduce((sum, value) => sum + value, 0);
    expect(added / 3).not.toBe(score);
    const a = prompts([1, 1, 1, 1, 1], { units: 1, unitScoreSum: score });
    const b = prompts([3, 3, 3, 3, 3], { units: 3, unitScoreSum: added });
    expect(compareBy(window(a), window(b), 'score')).toMatchObject({
      verdict: 'no_evidence',
      reasons: [],
    });
    expect(compareBy(window(b), window(a), 'score')).toMatchObject({
      verdict: 'no_evidence',
      reasons: [],
    });
  });

  test('without any pair is exactly too_few', () => {
    const nothing = {
      a: { value: null, units: 0, unitsFailed: 3, prompts: 0 },
      b: { value: null, units: 0, unitsFailed: 0, prompts: 0 },
      difference: null,
      pValue: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    };
    const a = window(prompts(before), { scans: { total: 4, failed: 3 } });
    const b = window(prompts(higher, { platform: 'gemini' }), { methodVersions: ['5'] });
    expect(compareBy(a, b, 'score')).toEqual(nothing);
    expect(compareBy(a, window([]), 'score')).toEqual(nothing);
    expect(compareBy(a, window(prompts(higher, { units: 0 })), 'score')).toEqual(nothing);
    expect(compareBy(a, window(prompts(higher)), 'sentiment')).toEqual(nothing);
  });
});

describe('figures', () => {
  test('are means over prompts of the means of their paired cells', () => {
    const a = [
      cell({ units: 4, mentioned: 1 }),
      cell({ platform: 'gemini', units: 2, mentioned: 1 }),
      cell({ promptId: 'prompt-2', units: 5, mentioned: 0 }),
      cell({ promptId: 'prompt-3', units: 9, mentioned: 9 }),
    ];
    const b = [
      cell({ units: 1, mentioned: 1 }),
      cell({ platform: 'gemini', units: 1, mentioned: 0 }),
      cell({ promptId: 'prompt-2', units: 2, mentioned: 1 }),
      cell({ promptId: 'prompt-2', country: 'DE', units: 2, mentioned: 2 }),
    ];
    const comparison = compareBy(window(a), window(b), 'mention_rate');
    expect(comparison.a).toMatchObject({ value: (37.5 + 0) / 2, units: 11, prompts: 2 });
    expect(comparison.b).toMatchObject({ value: (50 + 50) / 2, units: 4, prompts: 2 });
    expect(comparison.difference?.value).toBeCloseTo(31.25, 9);
  });

  test('of sentiment need a sentiment in both windows', () => {
    const praised = { units: 10, mentioned: 1, sentimentSum: 90, sentimentCount: 1 };
    const a = prompts(before, praised);
    const b = prompts(before, praised).map((each, index) =>
      index === 0 ? { ...each, sentimentSum: 0, sentimentCount: 0 } : each,
    );
    expect(compareBy(window(a), window(b), 'sentiment')).toMatchObject({
      a: { value: 90, units: 50, prompts: 5 },
      b: { value: 90, units: 50, prompts: 5 },
      verdict: 'no_evidence',
      reasons: [],
    });
  });
});

describe('reasons', () => {
  const compare = (
    b: ComparedCell[],
    given: Partial<ComparedWindow> = {},
    a: ComparedCell[] = prompts(before),
  ) => compareBy(window(a), window(b, given), 'mention_rate');

  test('model_changed: a platform served another set of models in the compared units', () => {
    const changed = { verdict: 'not_comparable', reasons: ['model_changed'] };
    expect(compare(prompts(higher, { models: ['gpt-6'] }))).toMatchObject(changed);
    const [first, ...others] = prompts(higher);
    expect(compare([{ ...first!, models: ['gpt-5-mini', 'gpt-6'] }, ...others])).toMatchObject(changed);
  });

  test('model_changed: the models of all cells of a platform count together', () => {
    const mixed = (models: string[][]) =>
      prompts(before).map((each, index) => ({ ...each, models: models[index % 2] ?? [] }));
    const a = mixed([['gpt-5'], ['gpt-6']]);
    expect(compare(mixed([['gpt-6'], ['gpt-5']]), {}, a)).toMatchObject({
      verdict: 'no_evidence',
      reasons: [],
    });
  });

  test('model_changed: neither cells without a pair nor unknown models count', () => {
    const unpaired = cell({ promptId: 'prompt-2', country: 'DE', models: ['gpt-6'] });
    const otherPlatform = cell({ promptId: 'prompt-2', platform: 'gemini', models: ['gemini-3'] });
    const unanswered = cell({ promptId: 'prompt-2', units: 0, models: ['gpt-6'] });
    expect(compare([...prompts(higher), unpaired, unanswered]).reasons).toEqual([]);
    expect(compare([...prompts(higher), otherPlatform]).reasons).toEqual([]);
    expect(compare(prompts(higher, { models: [] })).reasons).toEqual([]);
  });

  test('method_changed: a window has a method version that the other lacks', () => {
    const changed = { verdict: 'not_comparable', reasons: ['method_changed'] };
    expect(compare(prompts(higher), { methodVersions: ['4', '5'] })).toMatchObject(changed);
    expect(compare(prompts(higher), { methodVersions: ['5'] })).toMatchObject(changed);
    expect(compare(prompts(higher), { methodVersions: ['4', '4'] })).toMatchObject({ reasons: [] });
  });

  test('surface_changed: a platform has another set of surfaces', () => {
    expect(compare(prompts(higher, { surfaces: ['api', 'app'] }))).toMatchObject({
      verdict: 'not_comparable',
      reasons: ['surface_changed'],
    });
    expect(compare(prompts(higher, { surfaces: [] })).reasons).toEqual([]);
  });

  test('competitors_changed: answers were searched for other brands, for figures that depend on them', () => {
    const scored = { unitScoreSum: 50, ownMentions: 5, allMentions: 9 };
    const a = window(prompts(before, scored));
    const compareTo = (searchedBrands: string[], metric: Metric) =>
      compareBy(a, window(prompts(before, { ...scored, searchedBrands })), metric);
    for (const metric of ['score', 'share_of_voice'] as const) {
      const changed = { verdict: 'not_comparable', reasons: ['competitors_changed'] };
      expect(compareTo(['own and two rivals'], metric)).toMatchObject(changed);
      expect(compareTo(['own and rival', 'own and two rivals'], metric)).toMatchObject(changed);
      expect(compareTo([], metric)).toMatchObject({ verdict: 'no_evidence', reasons: [] });
    }
    expect(compareTo(['own and two rivals'], 'mention_rate').reasons).toEqual([]);
  });

  test.each([
    ['no failed unit', { total: 100, failed: 0 }, 'up', []],
    ['partial_run: 20 % failed', { total: 15, failed: 3 }, 'up', ['partial_run']],
    ['incomplete: more failed', { total: 15, failed: 4 }, 'not_comparable', ['incomplete', 'partial_run']],
    ['no scan', { total: 0, failed: 0 }, 'up', []],
  ])('%s', (_, scans, verdict, reasons) => {
    expect(compare(prompts(higher), { scans })).toMatchObject({
      verdict,
      reasons,
      b: { unitsFailed: scans.failed },
    });
    const [a, b] = [window(prompts(before), { scans }), window(prompts(higher))];
    expect(compareBy(a, b, 'mention_rate')).toMatchObject({ verdict, reasons });
  });

  test('unequal_answers: more than four times as many answers in a cell of one window', () => {
    const [few, many] = [prompts([1, 1, 1, 1, 1], { units: 2 }), prompts([4, 4, 4, 4, 4], { units: 8 })];
    expect(compare(many, {}, few).reasons).toEqual([]);
    const unequal = { verdict: 'not_comparable', reasons: ['unequal_answers'] };
    const [first, ...others] = many;
    const more = [{ ...first!, units: 9 }, ...others];
    expect(compare(more, {}, few)).toMatchObject(unequal);
    expect(compare(few, {}, more)).toMatchObject(unequal);
  });

  test('short_window leaves the verdict', () => {
    expect(compare(prompts(higher), { days: 3 }).reasons).toEqual([]);
    expect(compare(prompts(higher), { days: 2 })).toMatchObject({ verdict: 'up', reasons: ['short_window'] });
  });

  test('prompt_set_changed below 80 % of the cells of either window leaves the verdict', () => {
    const extra = (count: number): ComparedCell[] =>
      prompts(Array(count).fill(1)).map((each) => ({ ...each, country: 'DE' }));
    const eight = [...before, 7, 8];
    const enough = compare([...prompts([...higher, 9, 9]), ...extra(2)], {}, prompts(eight));
    expect(enough).toMatchObject({ verdict: 'up', reasons: [] });
    const below = { verdict: 'up', reasons: ['prompt_set_changed'] };
    expect(compare([...prompts([...higher, 9, 9]), ...extra(3)], {}, prompts(eight))).toMatchObject(below);
    expect(compare(prompts([...higher, 9, 9]), {}, [...prompts(eight), ...extra(3)])).toMatchObject(below);
  });

  test('platform_drift where a paired cell is of the platform leaves the verdict', () => {
    const drifted = (platform: string): Partial<ComparedWindow> => ({
      driftedPlatforms: new Set([platform]),
    });
    const expected = { verdict: 'up', reasons: ['platform_drift'] };
    expect(compare(prompts(higher), drifted('chatgpt'))).toMatchObject(expected);
    expect(compare(prompts(higher), drifted('gemini'))).toMatchObject({ verdict: 'up', reasons: [] });
  });

  test('are listed in one order', () => {
    const other = { models: ['gpt-6'], surfaces: ['app'], searchedBrands: ['own'], units: 50 };
    const scans = { total: 10, failed: 3 };
    const a = window(prompts(before.slice(0, 3)), {
      scans,
      days: 1,
      methodVersions: ['2'],
      driftedPlatforms: new Set(['chatgpt']),
    });
    expect(compareBy(a, window(prompts(higher, other)), 'score')).toMatchObject({
      verdict: 'not_comparable',
      reasons: ComparisonReason.options,
    });
  });
});

describe('share of voice', () => {
  const mentions = (own: number[], all: number[], given: Partial<ComparedCell> = {}): ComparedCell[] =>
    prompts(own, given).map((each, index) => ({
      ...each,
      ownMentions: own[index] ?? 0,
      allMentions: all[index] ?? 0,
    }));
  const a = mentions([2, 2, 2, 2, 2], [10, 10, 10, 10, 10]);

  // By hand: without prompt 1 the share of b is 20/40, without another one 23/40. Their mean is 56, sum of squares 45.
  test('is the share over all answers, with the interval of leaving out each prompt', () => {
    const b = mentions([8, 5, 5, 5, 5], [10, 10, 10, 10, 10]);
    const comparison = compareBy(window(a), window(b), 'share_of_voice');
    expect(comparison).toMatchObject({ a: { value: 20 }, b: { value: 56 }, verdict: 'up', reasons: [] });
    const margin = 2.776445105 * Math.sqrt((4 / 5) * 45);
    expect(comparison.difference?.low).toBeCloseTo(36 - margin, 6);
    expect(comparison.difference?.high).toBeCloseTo(36 + margin, 6);
  });

  test.each([
    ['fewer than five prompts', a.slice(1)],
    ['a window without a mention', mentions([0, 0, 0, 0, 0], [0, 0, 0, 0, 0])],
    ['no mention without one prompt', mentions([2, 0, 0, 0, 0], [9, 0, 0, 0, 0])],
  ])('is too_few with %s', (_, b) => {
    const expected = { difference: null, pValue: null, verdict: 'not_comparable', reasons: ['too_few'] };
    expect(compareBy(window(a), window(b), 'share_of_voice')).toMatchObject(expected);
  });
});

test('the confidence is that of the interval and of the verdict', () => {
  const [a, b] = [window(prompts([1, 2, 3, 4, 5, 6])), window(prompts([2, 4, 3, 6, 6, 9]))];
  const compareAt = (confidence: number): Comparison =>
    compareCells(a, b, { metric: 'mention_rate', confidence });
  expect(compareAt(0.95)).toMatchObject({ verdict: 'up', difference: { confidence: 0.95 } });
  expect(compareAt(0.99)).toMatchObject({ verdict: 'no_evidence', difference: { confidence: 0.99 } });
  expect(compareAt(0.99).difference!.low).toBeLessThan(compareAt(0.95).difference!.low);
});
