import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Answer, countIncidence, drawWorld, seeded } from '../bench/simulated-world.ts';
import { estimateCoverage, type Incidence } from './index.ts';

type Case = Incidence & { name: string; seen: number; chao: number; se: number };
const file = new URL('../test/coverage.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

test.each(cases)('the total of $name is that of specpool in vegan, and so is its standard error', (given) => {
  const { value, low, high } = estimateCoverage(given, []).estimatedTotal;
  expect(value).toBeCloseTo(given.chao, 9);
  const unseen = given.chao - given.seen;
  const factor =
    unseen === 0 ? 1 : Math.exp(1.959963984540054 * Math.sqrt(Math.log(1 + (given.se / unseen) ** 2)));
  expect(low).toBeCloseTo(given.seen + unseen / factor, 6);
  expect(high).toBeCloseTo(given.seen + unseen * factor, 6);
});

describe('closed forms', () => {
  const given = { units: 10, incidences: 20, seen: 9, once: 4, twice: 2 };

  test('of the coverage, and of what 100 more answers show', () => {
    const { coverage, next100Units } = estimateCoverage(given, []);
    expect(coverage).toEqual({ value: 100 * (1 - (4 / 20) * (36 / 40)), low: null, high: null });
    const unseen = (0.9 * 16) / 4;
    expect(next100Units).toBeCloseTo(unseen * (1 - (1 - 4 / (10 * unseen + 4)) ** 100), 12);
  });

  test('without names seen once, everything is seen', () => {
    expect(estimateCoverage({ ...given, once: 0 }, [])).toEqual({
      coverage: { value: 100, low: null, high: null },
      estimatedTotal: { value: 9, low: 9, high: 9 },
      next100Units: 0,
    });
  });

  test.each([
    { units: 1, incidences: 3, seen: 3, once: 3, twice: 0 },
    { units: 9, incidences: 0, seen: 0, once: 0, twice: 0 },
  ])('nothing is known of $units answers with $seen names', (few) => {
    const none = { value: null, low: null, high: null };
    expect(estimateCoverage(few, [])).toEqual({ coverage: none, estimatedTotal: none, next100Units: null });
  });
});

describe('the bounds of the coverage', () => {
  const prompts = ['a', 'b', 'c', 'd', 'e', 'f'];
  const answers = prompts.flatMap((prompt, index): Answer[] => [
    { prompt, names: ['x', 'y', `only ${index}`] },
    { prompt, names: ['x', `of ${prompt}`] },
    { prompt, names: index < 3 ? [`of ${prompt}`, 'z'] : ['y'] },
  ]);

  test('are those of the pseudo-values of the jackknife over prompts', () => {
    const counted = countIncidence(answers);
    const { coverage } = estimateCoverage(counted.total, counted.prompts);
    const of = (some: readonly Answer[]): number =>
      estimateCoverage(countIncidence(some).total, []).coverage.value ?? NaN;
    const pseudo = prompts.map((each) => 6 * of(answers) - 5 * of(answers.filter((a) => a.prompt !== each)));
    const mean = pseudo.reduce((sum, value) => sum + value, 0) / 6;
    const variance = pseudo.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 5;
    // scipy: stats.t.ppf(0.975, 5).
    const margin = 2.570581835636314 * Math.sqrt(variance / 6);
    expect(coverage.low).toBeCloseTo(of(answers) - margin, 9);
    expect(coverage.high).toBeCloseTo(Math.min(100, of(answers) + margin), 9);
  });

  test('need five prompts', () => {
    const four = countIncidence(answers.filter(({ prompt }) => prompt < 'e'));
    expect(estimateCoverage(four.total, four.prompts).coverage).toMatchObject({ low: null, high: null });
  });
});

test('in even worlds of known size the interval of the total covers it in 93 to 97 %', () => {
  const world = { names: 200, answers: 150, perAnswer: 3, exponent: 0, falseOnce: 0 };
  const random = seeded(58);
  const runs = 1_000;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const { low, high } = estimateCoverage(drawWorld(world, random), []).estimatedTotal;
    if ((low ?? 0) <= world.names && world.names <= (high ?? 0)) covered += 1;
  }
  expect(covered / runs).toBeGreaterThan(0.93);
  expect(covered / runs).toBeLessThan(0.97);
});
