import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listBrandSummaries, listScores } from '@bv/contract';
import { importLine } from './events.ts';
import { addBrand, importUnits, type Results, startResults, toBrandParams } from './results.ts';

const noon = '2026-11-21T12:00:00Z';
let results: Results;
let now: Date;
let brand: Awaited<ReturnType<typeof addBrand>>;

beforeAll(async () => {
  results = await startResults({ now: () => now });
  await results.serveCatalog();
  brand = await addBrand(results);
});
afterAll(() => results.stop());
beforeEach(() => {
  now = new Date(noon);
});

const line = (overrides: Record<string, unknown> = {}) =>
  importLine(brand.prompt, {
    brands: [{ brand_id: brand.own.id, position: 1, sentiment: 90 }],
    ...overrides,
  });

describe('an invalid line is rejected by its number', () => {
  test('a run_date after today (UTC) and one before 2015-01-01; both ends of the range are accepted', async () => {
    now = new Date('2026-11-21T23:59:59.999Z');
    const days = [
      '2026-11-21',
      '2026-11-22',
      '2099-01-01',
      '9999-12-31',
      '2015-01-01',
      '2014-12-31',
      '1970-01-01',
    ];
    const response = await importUnits(
      results,
      days.map((run_date) => line({ run_date })),
    );
    expect(response.status).toBe(201);
    expect(response.data).toEqual({
      imported: 2,
      duplicates: 0,
      skipped: 0,
      rejected: [
        { line: 2, error: 'run_date: 2026-11-22 is after today, 2026-11-21 (UTC)' },
        { line: 3, error: 'run_date: 2099-01-01 is after today, 2026-11-21 (UTC)' },
        { line: 4, error: 'run_date: 9999-12-31 is after today, 2026-11-21 (UTC)' },
        { line: 6, error: 'run_date: 2014-12-31 is before 2015-01-01' },
        { line: 7, error: 'run_date: 1970-01-01 is before 2015-01-01' },
      ],
    });
    now = new Date('2026-11-22T00:00:00Z');
    const next = await importUnits(results, [line({ run_date: '2026-11-22' })]);
    expect(next.data).toMatchObject({ imported: 1 });
  });

  test('a finalized_at more than a day after now; clocks may differ by less', async () => {
    const times = ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00.001Z', '2027-01-01T00:00:00Z'];
    const { data } = await importUnits(
      results,
      times.map((finalized_at) => line({ finalized_at })),
    );
    const error = 'finalized_at: more than a day after now';
    expect(data).toMatchObject({ imported: 1, rejected: [2, 3].map((number) => ({ line: number, error })) });
  });

  test('a country that is not a market, unless unknown markets are allowed', async () => {
    const lines = ['USA', 'us', ' de ', 'XX', 'FR'].map((country) => line({ country }));
    const rejected = [
      { line: 1, error: 'country: USA is not a market' },
      { line: 4, error: 'country: XX is not a market' },
      { line: 5, error: 'country: FR is not a market' },
    ];
    for (const query of ['', 'allow_unknown_markets=false']) {
      expect((await importUnits(results, lines, query)).data).toMatchObject({ rejected, skipped: 0 });
    }
    const allowed = 'allow_unknown_markets=true';
    expect((await importUnits(results, lines, allowed)).data).toEqual({
      imported: 3,
      duplicates: 2,
      skipped: 0,
      rejected: [],
    });
    const future = await importUnits(results, [line({ country: 'XX', run_date: '2026-11-22' })], allowed);
    expect(future.data).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
  });

  test.each(['yes', '1', 'TRUE', ''])('400 validation_error: allow_unknown_markets=%s', async (value) => {
    const response = await importUnits(results, [line()], `allow_unknown_markets=${value}`);
    expect(response.refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'allow_unknown_markets' }],
    });
  });

  test('the error of a line that is no object has no path; the error of an unknown outcome has one', async () => {
    const lines = ['[1,2]', 'null', '7', '"x"', line({ outcome: 'maybe' }), line({ outcome: undefined })];
    const { data } = await importUnits(results, lines);
    expect(data.rejected.map(({ error }) => error)).toEqual([
      'Invalid input: expected object, received array',
      'Invalid input: expected object, received null',
      'Invalid input: expected object, received number',
      'Invalid input: expected object, received string',
      expect.stringMatching(/^outcome: Invalid/),
      expect.stringMatching(/^outcome: Invalid/),
    ]);
  });
});

test('a line with the outcome failed is accepted, not stored and counted as skipped', async () => {
  const unit_id = randomUUID();
  const before = await results.query('select 1 from units');
  const { data } = await importUnits(results, [
    line({ outcome: 'failed', unit_id }),
    line({ outcome: 'failed', brands: undefined, sources: undefined }),
    line({ run_date: '2026-11-22' }),
  ]);
  expect(data).toMatchObject({ imported: 0, duplicates: 0, skipped: 2, rejected: [{ line: 3 }] });
  expect(await results.query('select 1 from units')).toHaveLength(before.length);
  // Its id can be imported later.
  expect((await importUnits(results, [line({ unit_id })])).data).toMatchObject({
    imported: 1,
    duplicates: 0,
  });
});

test('a day in the future is not the latest day of the summary', async () => {
  const { own, prompt } = await addBrand(results);
  const params = toBrandParams(own);
  now = new Date('2026-11-25T12:00:00Z');
  const brands = [{ brand_id: own.id, position: 1, sentiment: 90 }];
  const lines = [
    importLine(prompt, { run_date: '2026-11-22', brands }),
    importLine(prompt, { run_date: '2026-11-24' }),
  ];
  expect((await importUnits(results, lines)).data).toMatchObject({ imported: 2 });
  now = new Date('2026-11-23T12:00:00Z');
  expect((await results.call(listBrandSummaries, { params })).data).toMatchObject([
    { id: own.id, score_date: '2026-11-22' },
  ]);
  expect((await results.call(listScores, { params, query: 'to=2026-11-24&limit=1' })).data).toMatchObject([
    { run_date: '2026-11-24', score: 0, previous_score: 100 },
  ]);
});
