import { describe, expect, test } from '@jest/globals';
import { cell } from '../test/cell.ts';
import { compareCells, type ComparedCell, type ComparedWindow } from './compare-cells.ts';

const window = (cells: ComparedCell[], given: Partial<ComparedWindow> = {}): ComparedWindow => ({
  cells,
  methodVersions: ['3'],
  isPartial: false,
  ...given,
});

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
    const comparison = compareCells(window(prompts([...a])), window(prompts([...b])), 'mention_rate');
    expect(comparison).toMatchObject({ verdict, reasons: [] });
  });

  test('needs five prompts; the difference needs two', () => {
    const compare = (count: number) =>
      compareCells(
        window(prompts(before.slice(0, count))),
        window(prompts(higher.slice(0, count))),
        'mention_rate',
      );
    expect(compare(5)).toMatchObject({ verdict: 'up', reasons: [] });
    expect(compare(4)).toMatchObject({ verdict: 'not_comparable', reasons: ['too_few'] });
    expect(compare(2).difference).toMatchObject({ value: 40, low: 40, high: 40, confidence: 0.95 });
    expect(compare(1)).toEqual({
      a: { value: 10, units: 10, prompts: 1 },
      b: { value: 50, units: 10, prompts: 1 },
      difference: null,
      pValue: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    });
  });

  test('is up with an interval of width 0 when all prompts changed by the same', () => {
    const comparison = compareCells(
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
    expect(compareCells(window(a), window(b), 'score')).toMatchObject({
      verdict: 'no_evidence',
      reasons: [],
    });
    expect(compareCells(window(b), window(a), 'score')).toMatchObject({
      verdict: 'no_evidence',
      reasons: [],
    });
  });

  test('without any pair is exactly too_few', () => {
    const nothing = {
      a: { value: null, units: 0, prompts: 0 },
      b: { value: null, units: 0, prompts: 0 },
      difference: null,
      pValue: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    };
    const a = window(prompts(before), { isPartial: true });
    const b = window(prompts(higher, { platform: 'gemini' }), { methodVersions: ['4'] });
    expect(compareCells(a, b, 'score')).toEqual(nothing);
    expect(compareCells(a, window([]), 'score')).toEqual(nothing);
    expect(compareCells(a, window(prompts(higher, { units: 0 })), 'score')).toEqual(nothing);
    expect(compareCells(a, window(prompts(higher)), 'sentiment')).toEqual(nothing);
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
    const comparison = compareCells(window(a), window(b), 'mention_rate');
    expect(comparison.a).toEqual({ value: (37.5 + 0) / 2, units: 11, prompts: 2 });
    expect(comparison.b).toEqual({ value: (50 + 50) / 2, units: 4, prompts: 2 });
    expect(comparison.difference?.value).toBeCloseTo(31.25, 9);
  });

  test('of sentiment need a sentiment in both windows', () => {
    const praised = { units: 10, mentioned: 1, sentimentSum: 90, sentimentCount: 1 };
    const a = prompts(before, praised);
    const b = prompts(before, praised).map((each, index) =>
      index === 0 ? { ...each, sentimentSum: 0, sentimentCount: 0 } : each,
    );
    expect(compareCells(window(a), window(b), 'sentiment')).toMatchObject({
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
  ) => compareCells(window(a), window(b, given), 'mention_rate');

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
    expect(compare(prompts(higher), { methodVersions: ['3', '4'] })).toMatchObject(changed);
    expect(compare(prompts(higher), { methodVersions: ['4'] })).toMatchObject(changed);
    expect(compare(prompts(higher), { methodVersions: ['3', '3'] })).toMatchObject({ reasons: [] });
  });

  test('partial_run leaves the verdict', () => {
    const expected = { verdict: 'up', reasons: ['partial_run'] };
    expect(compare(prompts(higher), { isPartial: true })).toMatchObject(expected);
    const partial = window(prompts(before), { isPartial: true });
    expect(compareCells(partial, window(prompts(higher)), 'mention_rate')).toMatchObject(expected);
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

  test('are listed in one order', () => {
    const few = prompts(before.slice(0, 3));
    const comparison = compareCells(
      window(few, { isPartial: true, methodVersions: ['2'] }),
      window([...prompts(higher, { models: ['gpt-6'] })]),
      'score',
    );
    expect(comparison.reasons).toEqual([
      'too_few',
      'model_changed',
      'method_changed',
      'partial_run',
      'prompt_set_changed',
    ]);
    expect(comparison.verdict).toBe('not_comparable');
  });
});
