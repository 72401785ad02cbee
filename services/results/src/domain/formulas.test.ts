import { describe, expect, test } from '@jest/globals';
import { computeChange, computeRates, computeShares, percent, round2 } from './formulas.ts';

const sums = {
  unitsAnswered: 4,
  unitsMentioned: 2,
  unitsCited: 1,
  unitsCitationsUnknown: 0,
  unitScoreSum: 100 + 100 / 1.1,
  positionSum: 3,
  sentimentSum: 130.5,
  sentimentCount: 2,
};

describe('rates', () => {
  test('are over answered units, two decimals', () => {
    expect(computeRates(sums)).toEqual({
      score: 47.73,
      mentionRate: 50,
      mentionRateLow: 15,
      mentionRateHigh: 85,
      averagePosition: 1.5,
      sentiment: 65.25,
      citationRate: 25,
    });
  });

  test('are null, not 0, without answered units', () => {
    const none = { ...sums, unitsAnswered: 0, unitsMentioned: 0, unitsCited: 0, unitScoreSum: 0 };
    expect(
      Object.values(computeRates({ ...none, positionSum: 0, sentimentSum: 0, sentimentCount: 0 })),
    ).toEqual(Array(7).fill(null));
  });

  test('are 0 when there are answers and none mentions the brand', () => {
    const absent = { ...sums, unitsMentioned: 0, unitsCited: 0, unitScoreSum: 0, positionSum: 0 };
    expect(computeRates({ ...absent, sentimentSum: 0, sentimentCount: 0 })).toMatchObject({
      score: 0,
      mentionRate: 0,
      averagePosition: null,
      sentiment: null,
      citationRate: 0,
    });
  });
});

test.each([
  [0, 10, 0, 27.75],
  [10, 10, 72.25, 100],
  [1, 1, 20.65, 100],
  [45, 100, 35.61, 54.76],
])('bounds of %i mentions in %i units', (unitsMentioned, unitsAnswered, mentionRateLow, mentionRateHigh) => {
  expect(computeRates({ ...sums, unitsMentioned, unitsAnswered })).toMatchObject({
    mentionRateLow,
    mentionRateHigh,
  });
});

test.each([
  [10.075, 10.08],
  [1.005, 1.01],
  [-1.005, -1.01],
  [-0.125, -0.13],
  [-0.001, 0],
  [66.666666, 66.67],
  [99.994999, 99.99],
])('%d rounds to %d', (value, rounded) => {
  expect(round2(value)).toBe(rounded);
});

test('a percentage of 403 in 4000 is 10.08', () => {
  expect(percent(403, 4_000)).toBe(10.08);
});

test('a change needs both sides', () => {
  expect(computeChange(50.1, 49.95)).toBe(0.15);
  expect(computeChange(50, null)).toBeNull();
  expect(computeChange(null, 50)).toBeNull();
});

describe('share of voice', () => {
  const brand = (brandId: string, mentions: number) => ({
    brandId,
    mentions,
    unitsAnswered: 4,
    positionSum: mentions,
  });

  test('ties share a rank and shares sum to 100', () => {
    const shares = computeShares([brand('a', 1), brand('b', 2), brand('c', 1), brand('d', 0)]);
    expect(shares.map(({ brandId, shareOfVoice, rank }) => [brandId, shareOfVoice, rank])).toEqual([
      ['a', 25, 2],
      ['b', 50, 1],
      ['c', 25, 2],
      ['d', 0, 4],
    ]);
  });

  test('is null when no brand is mentioned', () => {
    expect(computeShares([brand('a', 0), brand('b', 0)])).toMatchObject([
      { shareOfVoice: null, rank: 1, mentionRate: 0, averagePosition: null },
      { shareOfVoice: null, rank: 1 },
    ]);
  });
});
