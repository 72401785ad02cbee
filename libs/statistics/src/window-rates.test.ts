import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cell, cells, shuffled } from '../test/cell.ts';
import { windowRates } from './window-rates.ts';

test('every cell weighs the same, however often it was asked', () => {
  const rates = windowRates([
    cell({
      units: 1,
      mentioned: 1,
      cited: 1,
      unitScoreSum: 100,
      positionSum: 1,
      sentimentSum: 80,
      sentimentCount: 1,
    }),
    cell({
      platform: 'gemini',
      units: 3,
      mentioned: 2,
      unitScoreSum: 150,
      positionSum: 8,
      sentimentSum: 40,
      sentimentCount: 1,
    }),
    cell({ promptId: 'prompt-2', units: 10 }),
  ]);
  expect(rates).toMatchObject({
    score: (100 + 50 + 0) / 3,
    mentionRate: (100 + 200 / 3 + 0) / 3,
    citationRate: (100 + 0 + 0) / 3,
    averagePosition: (1 + 4) / 2,
    sentiment: (80 + 40) / 2,
    unitsAnswered: 14,
    promptsMeasured: 2,
  });
});

test('answers of which it is not known whether they cite the brand are no part of the citation rate', () => {
  const known = cell({ units: 4, cited: 1, citationsUnknown: 2 });
  const unknown = cell({ promptId: 'prompt-2', units: 3, citationsUnknown: 3 });
  expect(windowRates([known, unknown])).toMatchObject({ citationRate: 50, unitsAnswered: 7 });
  expect(windowRates([unknown])).toMatchObject({ citationRate: null, mentionRate: 0 });
});

test('the days of a cell are added before its mean', () => {
  const monday = cell({ units: 1, mentioned: 1 });
  const tuesday = cell({ units: 3, mentioned: 0 });
  expect(windowRates([monday, tuesday])).toEqual(windowRates([cell({ units: 4, mentioned: 1 })]));
  expect(windowRates([monday, tuesday]).mentionRate).toBe(25);
});

test('without an answered unit there are no figures', () => {
  const none = {
    score: null,
    mentionRate: null,
    bounds: { mentionRate: null, citationRate: null, averagePosition: null, shareOfVoice: null },
    averagePosition: null,
    sentiment: null,
    citationRate: null,
    unitsAnswered: 0,
    unitsEffective: 0,
    promptsMeasured: 0,
  };
  expect(windowRates([])).toEqual(none);
  expect(windowRates([cell({ units: 0 })])).toEqual(none);
});

test('a brand that is never mentioned has rates of 0, and neither position nor sentiment', () => {
  expect(windowRates([cell({ units: 5 })])).toMatchObject({
    score: 0,
    mentionRate: 0,
    bounds: { mentionRate: { low: 0 } },
    averagePosition: null,
    sentiment: null,
  });
});

test('the bounds contain the mention rate', () => {
  fc.assert(
    fc.property(cells, (given) => {
      const { mentionRate, bounds } = windowRates(given);
      if (mentionRate === null) expect([bounds.mentionRate, given]).toEqual([null, []]);
      else {
        const { low, high } = bounds.mentionRate!;
        expect(low <= mentionRate && mentionRate <= high).toBe(true);
      }
    }),
  );
});

test('the bounds are wider the more the answers to one prompt correlate', () => {
  const width = (...mentioned: number[]): number => {
    const rates = windowRates(
      mentioned.map((count, index) => cell({ promptId: `prompt-${index}`, units: 10, mentioned: count })),
    );
    expect(rates.mentionRate).toBe(50);
    return rates.bounds.mentionRate!.high - rates.bounds.mentionRate!.low;
  };
  const widths = [width(5, 5, 5, 5), width(2, 8, 2, 8), width(1, 9, 1, 9), width(0, 10, 0, 10)];
  expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  expect(new Set(widths).size).toBe(4);
});

test('order and names of prompts do not matter', () => {
  const givenAndShuffled = cells.chain((given) => fc.tuple(fc.constant(given), shuffled(given)));
  fc.assert(
    fc.property(givenAndShuffled, ([given, other]) => {
      const renamed = other.map((each) => ({ ...each, promptId: `${each.promptId}${each.promptId}` }));
      const flat = ({ bounds, ...rates }: ReturnType<typeof windowRates>) => ({
        ...rates,
        ...Object.fromEntries(
          Object.entries(bounds).flatMap(([name, each]) => [
            [`${name}Low`, each?.low ?? null],
            [`${name}High`, each?.high ?? null],
          ]),
        ),
      });
      const actual = Object.entries(flat(windowRates(renamed)));
      const expected = flat(windowRates(given));
      for (const [name, value] of actual) {
        const wanted = expected[name as keyof typeof expected];
        if (value === null) expect(wanted).toBeNull();
        else expect(value).toBeCloseTo(wanted ?? Number.NaN, 9);
      }
    }),
  );
});
