import fc from 'fast-check';
import type { ComparedCell, ComparedWindow } from '../src/cells.ts';

/** A cell without mentions, with what a test needs. */
export const cell = (given: Partial<ComparedCell> = {}): ComparedCell => ({
  promptId: 'prompt-1',
  country: 'US',
  platform: 'chatgpt',
  units: 1,
  mentioned: 0,
  cited: 0,
  citationsUnknown: 0,
  unitScoreSum: 0,
  positionSum: 0,
  sentimentSum: 0,
  sentimentCount: 0,
  ownMentions: 0,
  allMentions: 0,
  models: ['gpt-5-mini'],
  surfaces: ['api'],
  searchedBrands: ['own and rival'],
  ...given,
});

/** A week of these cells, whose scans were complete. */
export const window = (
  given: readonly ComparedCell[],
  others: Partial<ComparedWindow> = {},
): ComparedWindow => ({
  cells: given,
  methodVersions: ['4'],
  days: 7,
  scans: { total: 100, failed: 0 },
  driftedPlatforms: new Set(),
  ...others,
});

/** Any sums that the units of a cell can have. */
const sums = fc.integer({ min: 1, max: 30 }).chain((units) =>
  fc.integer({ min: 0, max: units }).chain((mentioned) =>
    fc.record({
      units: fc.constant(units),
      mentioned: fc.constant(mentioned),
      cited: fc.integer({ min: 0, max: units }),
      citationsUnknown: fc.constant(0),
      unitScoreSum: fc.integer({ min: 50 * mentioned, max: 100 * mentioned }),
      positionSum: fc.integer({ min: mentioned, max: 9 * mentioned }),
      sentimentCount: fc.constant(mentioned),
      sentimentSum: fc.integer({ min: 0, max: 100 * mentioned }),
      ownMentions: fc.constant(mentioned),
      allMentions: fc.integer({ min: mentioned, max: mentioned + 3 * units }),
    }),
  ),
);

/** Cells of a window, each once. */
export const cells: fc.Arbitrary<ComparedCell[]> = fc.uniqueArray(
  fc
    .tuple(
      fc.record({
        promptId: fc.integer({ min: 1, max: 12 }).map((number) => `prompt-${number}`),
        country: fc.constantFrom('DE', 'US'),
        platform: fc.constantFrom('chatgpt', 'gemini'),
      }),
      sums,
    )
    .map(([key, values]) => cell({ ...key, ...values })),
  { maxLength: 40, selector: ({ promptId, country, platform }) => `${promptId} ${country} ${platform}` },
);

/** The given values in any order. */
export const shuffled = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length });
