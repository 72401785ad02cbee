import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cell, cells, window } from '../test/cell.ts';
import { isChangeAt } from './change-confidence.ts';
import type { ComparedCell } from './cells.ts';
import { compareCells, type Comparison } from './compare-cells.ts';

const levels = [0.95, 0.99, 0.999, 0.9999];

const compare = (a: ComparedCell[], b: ComparedCell[], methodVersions = ['4']): Comparison =>
  compareCells(window(a), window(b, { methodVersions }), { metric: 'mention_rate', confidence: 0.95 });

const listLevels = (comparison: Comparison): number[] =>
  levels.filter((level) => isChangeAt(comparison, level));

/** Prompts with this many answers, of which these mention the brand. */
const prompts = (mentioned: readonly number[], units = 100): ComparedCell[] =>
  mentioned.map((count, index) => cell({ promptId: `prompt-${index}`, units, mentioned: count }));
const repeat = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

describe('levels of confidence of a change', () => {
  /** Differences of ten prompts with mean 10 and this spread: t(9) of 95, 99, 99.9 and 99.99 % is 2.26, 3.25, 4.78, 6.59. */
  const compareSpread = (spread: number): Comparison =>
    compare(prompts(repeat(10, 20)), prompts([...repeat(5, 30 - spread), ...repeat(5, 30 + spread)]));
  test.each([
    [15, []],
    [12, [0.95]],
    [9, [0.95, 0.99]],
    [6, [0.95, 0.99, 0.999]],
    [4, levels],
  ])('with t = 30 / spread and the spread %d: %j', (spread, expected) => {
    const comparison = compareSpread(spread);
    expect(listLevels(comparison)).toEqual(expected);
    const reversed = compare(
      prompts(repeat(10, 50)),
      prompts(repeat(10, 50).map((_, at) => (at < 5 ? 40 - spread : 40 + spread))),
    );
    expect(listLevels(reversed)).toEqual(expected);
  });

  test.each([
    [5, [0.95, 0.99]],
    [6, [0.95, 0.99, 0.999]],
    [7, [0.95, 0.99, 0.999]],
    [8, levels],
  ])('%d prompts that all rise by the same: %j', (count, expected) => {
    expect(listLevels(compare(prompts(repeat(count, 0)), prompts(repeat(count, 100))))).toEqual(expected);
  });

  test.each([
    [10, levels],
    [11, [0.95]],
    [1, []],
  ])('a window with 5 answers a prompt and one with %d: %j', (units, expected) => {
    const wide = prompts(repeat(20, units), units);
    const short = prompts(repeat(20, 0), 5);
    expect(listLevels(compare(short, wide))).toEqual(expected);
    expect(listLevels(compare(wide, short))).toEqual(expected);
  });

  test('none of a comparison that is not comparable', () => {
    const [a, b] = [prompts(repeat(20, 0)), prompts(repeat(20, 100))];
    expect(listLevels(compare(a, b))).toEqual(levels);
    expect(listLevels(compare(a, b, ['3']))).toEqual([]);
    expect(listLevels(compare(a.slice(0, 4), b))).toEqual([]);
    expect(listLevels(compare([], b))).toEqual([]);
  });
});

test('0.95 is the verdict, and a higher level implies each lower one', () => {
  fc.assert(
    fc.property(cells, cells, (a, b) => {
      const comparison = compare(a, b);
      const isChange = comparison.verdict === 'up' || comparison.verdict === 'down';
      expect(isChangeAt(comparison, 0.95)).toBe(isChange);
      expect(listLevels(comparison)).toEqual(levels.slice(0, listLevels(comparison).length));
    }),
  );
});
