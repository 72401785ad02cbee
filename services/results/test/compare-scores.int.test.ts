import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compareScores } from '@bv/contract';
import { addBrandWithUnits, toQuery, type UnitBrand, createUnit } from './check-windows.ts';
import { type Brand, brandData } from './events.ts';
import type { Unit } from './expected-windows.ts';
import { addToCatalog, type Results, startResults, toBrandParams, waitUntilHandled } from './results.ts';
import { toDay } from './unit-history.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const compare = (brand: Brand, query: Record<string, string | undefined> = {}) =>
  results.call(compareScores, { params: toBrandParams(brand), query: toQuery(query) });

/** One answer a day of each prompt; `change` overrides what the day or the prompt makes different. */
const createDays = (
  promptIds: readonly string[],
  { from, days }: { from: string; days: number },
  change: (day: string, prompt: number) => Partial<Unit> = () => ({}),
): Unit[] =>
  Array.from({ length: days }, (_, offset) => toDay(from, offset)).flatMap((runDate) =>
    promptIds.map((promptId, prompt) => createUnit(promptId, runDate, change(runDate, prompt))),
  );

/** A brand with answers on the last 14 days. */
async function addBrand(
  prompts: number,
  change: (day: string, prompt: number) => Partial<Unit> = () => ({}),
): Promise<UnitBrand> {
  const days = { from: '2026-11-08', days: 14 };
  const brand = await addBrandWithUnits(results, prompts, (ids) => createDays(ids, days, change));
  await brand.importUnits(brand.units);
  return brand;
}

/** From the 15th on, each prompt is mentioned on more days than before. */
const rising = (day: string, prompt: number): Partial<Unit> =>
  (Number(day.slice(-2)) + prompt) % (day < '2026-11-15' ? 5 : 2) === 0 ? { position: 1, sentiment: 80 } : {};

describe('the windows', () => {
  test('200: by default the last 7 days and the 7 days before; all markets, all platforms, the score', async () => {
    const { own } = await addBrand(8, rising);
    const { data } = await compare(own);
    expect(data).toMatchObject({
      metric: 'score',
      country: null,
      platform: null,
      a: { from: '2026-11-08', to: '2026-11-14', units: 56, prompts: 8 },
      b: { from: '2026-11-15', to: '2026-11-21', units: 56, prompts: 8 },
      difference: { confidence: 0.95 },
      verdict: 'up',
      reasons: [],
    });
    expect(data.difference!.low).toBeGreaterThan(0);
    // Window a is the 7 days before window b.
    const later = await compare(own, { from_b: '2026-11-12', to_b: '2026-11-20' });
    expect(later.data).toMatchObject({ a: { from: '2026-11-05', to: '2026-11-11' } });
  });

  test('200: either may be the earlier one, and the difference changes its sign', async () => {
    const { own } = await addBrand(8, rising);
    const dates = { from_a: '2026-11-15', to_a: '2026-11-21', from_b: '2026-11-08', to_b: '2026-11-14' };
    const [forwards, backwards] = [(await compare(own)).data, (await compare(own, dates)).data];
    expect(backwards.verdict).toBe('down');
    expect(backwards.a).toEqual(forwards.b);
    expect(backwards.difference!.low).toBe(-forwards.difference!.high);
  });

  test.each([
    [
      'overlap',
      { from_a: '2026-11-01', to_a: '2026-11-15', from_b: '2026-11-15', to_b: '2026-11-20' },
      'from_b',
      'windows_overlap',
    ],
    [
      'window a overlaps the default of b',
      { from_a: '2026-11-10', to_a: '2026-11-16' },
      'from_b',
      'windows_overlap',
    ],
    ['a inverted', { from_a: '2026-11-09', to_a: '2026-11-08' }, 'from_a', 'window_inverted'],
    ['b inverted', { from_b: '2026-11-09', to_b: '2026-11-08' }, 'from_b', 'window_inverted'],
    ['a of 93 days', { from_a: '2026-08-01', to_a: '2026-11-01' }, 'from_a', 'window_too_wide'],
    ['b of 93 days', { from_b: '2026-08-01', to_b: '2026-11-01' }, 'from_b', 'window_too_wide'],
    ['only from_a', { from_a: '2026-11-08' }, 'to_a', 'invalid_type'],
    ['only to_b', { to_b: '2026-11-08' }, 'from_b', 'invalid_type'],
    ['no date', { from_a: '2026-11-31', to_a: '2026-12-01' }, 'from_a', 'invalid_date'],
    ['another format', { from_a: '11/01/2026', to_a: '2026-12-01' }, 'from_a', 'invalid_format'],
    ['an unknown metric', { metric: 'reach' }, 'metric', 'invalid_value'],
    ['another confidence', { confidence: '0.97' }, 'confidence', 'invalid_value'],
    ['an unknown platform', { platform: 'bard' }, 'platform', 'invalid_value'],
  ])('400: %s', async (_name, query, path, code) => {
    const { own } = await addBrand(1);
    const response = await compare(own, query);
    expect(response.status).toBe(400);
    expect(response.error).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test('200: a window of 92 days', async () => {
    const { own } = await addBrand(1);
    expect((await compare(own, { from_a: '2026-08-01', to_a: '2026-10-31' })).status).toBe(200);
  });

  test('400 own_brand_only for a competitor, 404 for the brand of another organisation', async () => {
    const rival = brandData({ is_own: false });
    const own = brandData();
    await addToCatalog(results, { brands: [rival, own] });
    const details = [{ path: 'brandId', code: 'own_brand_only' }];
    expect((await compare(rival)).error).toMatchObject({ code: 'validation_error', details });
    expect((await compare({ ...own, org_id: randomUUID() })).status).toBe(404);
  });
});

describe('the answer is defined', () => {
  const nothing = { value: null, units: 0, prompts: 0 };

  test('without any data', async () => {
    const own = brandData();
    await addToCatalog(results, { brands: [own] });
    expect((await compare(own)).data).toMatchObject({
      a: nothing,
      b: nothing,
      difference: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    });
  });

  test('with data in one window only, with one prompt, and when all prompts were replaced', async () => {
    const early = await addBrandWithUnits(results, 6, (ids) =>
      createDays(ids, { from: '2026-11-08', days: 7 }),
    );
    await early.importUnits(early.units);
    const empty = {
      a: nothing,
      b: nothing,
      difference: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    };
    expect((await compare(early.own)).data).toMatchObject(empty);
    const single = await addBrand(1, rising);
    expect((await compare(single.own)).data).toMatchObject({
      a: { units: 7, prompts: 1 },
      difference: null,
      verdict: 'not_comparable',
      reasons: ['too_few'],
    });
    const replaced = await addBrandWithUnits(results, 12, (ids) => [
      ...createDays(ids.slice(0, 6), { from: '2026-11-08', days: 7 }),
      ...createDays(ids.slice(6), { from: '2026-11-15', days: 7 }),
    ]);
    await replaced.importUnits(replaced.units);
    expect((await compare(replaced.own)).data).toMatchObject(empty);
  });

  test('when a third of the prompts is new: the others are compared', async () => {
    const brand = await addBrandWithUnits(results, 9, (ids) => [
      ...createDays(ids.slice(0, 6), { from: '2026-11-08', days: 7 }),
      ...createDays(ids, { from: '2026-11-15', days: 7 }),
    ]);
    await brand.importUnits(brand.units);
    expect((await compare(brand.own)).data).toMatchObject({
      a: { value: 0, units: 42, prompts: 6 },
      b: { value: 0, units: 42, prompts: 6 },
      difference: { value: 0, low: 0, high: 0 },
      verdict: 'no_evidence',
      reasons: ['prompt_set_changed'],
    });
  });

  test('when a window has only units without an answer', async () => {
    const { own } = await addBrand(6, (day) => (day < '2026-11-15' ? {} : { answered: false }));
    expect((await compare(own)).data).toMatchObject({ difference: null, reasons: ['too_few'] });
  });

  test('when a model changed in the middle of a window, on the compared platform only', async () => {
    const { own } = await addBrand(6, (day) => (day < '2026-11-18' ? {} : { model: 'model-b' }));
    const changed = { difference: { value: 0 }, verdict: 'not_comparable', reasons: ['model_changed'] };
    expect((await compare(own)).data).toMatchObject(changed);
    const before = { from_a: '2026-11-08', to_a: '2026-11-11', from_b: '2026-11-12', to_b: '2026-11-17' };
    expect((await compare(own, before)).data).toMatchObject({ verdict: 'no_evidence', reasons: [] });
    expect((await compare(own, { platform: 'gemini' })).data).toMatchObject({ reasons: ['too_few'] });
  });

  test('when a part of the history has another method', async () => {
    const { own } = await addBrand(6, rising);
    await results.query(
      "update scores set method_version = '3' where brand_id = $1 and run_date < '2026-11-10'",
      [own.id],
    );
    expect((await compare(own)).data).toMatchObject({
      verdict: 'not_comparable',
      reasons: ['method_changed'],
    });
    const same = { from_a: '2026-11-10', to_a: '2026-11-14' };
    expect((await compare(own, same)).data).toMatchObject({ verdict: 'up', reasons: [] });
  });

  test('when the LLM judge rates all sentiments, and some days have none', async () => {
    const isMentioned = (day: string): boolean => day !== '2026-11-09' && day <= '2026-11-14';
    const { own } = await addBrand(6, (day) => (isMentioned(day) ? { position: 1, sentiment: 60 } : {}));
    const rateByJudge = (from: string) =>
      results.query(
        `update scores set method_version = method_version || '+llm'
         where brand_id = $1 and sentiment_count > 0 and run_date >= $2`,
        [own.id, from],
      );
    await rateByJudge('2026-11-12');
    const dates = { from_a: '2026-11-08', to_a: '2026-11-11', from_b: '2026-11-12', to_b: '2026-11-15' };
    const sentiment = { metric: 'sentiment' };
    expect((await compare(own, { ...dates, ...sentiment })).data.reasons).toEqual(['method_changed']);
    // The LLM judge decides no mention, so it does not change the score.
    expect((await compare(own, dates)).data).toMatchObject({ verdict: 'no_evidence', reasons: [] });
    const later = {
      ...dates,
      from_a: '2026-11-12',
      to_a: '2026-11-14',
      from_b: '2026-11-15',
      to_b: '2026-11-21',
    };
    expect((await compare(own, later)).data).toMatchObject({ verdict: 'down', reasons: [] });
    const earlier = { from_a: '2026-11-09', to_a: '2026-11-09', from_b: '2026-11-10', to_b: '2026-11-11' };
    expect((await compare(own, earlier)).data).toMatchObject({ verdict: 'up', reasons: ['short_window'] });
    // It decided the mentions in one answer, whatever the rule of the brand says later.
    const setMethod = (method: string) =>
      results.query(
        `update units set mention_method = $2
         where id = (select id from units where brand_id = $1 and run_date = '2026-11-12' order by id limit 1)`,
        [own.id, method],
      );
    await setMethod('words+llm');
    expect((await compare(own, dates)).data.reasons).toEqual(['method_changed']);
    const { from_a, to_a, from_b, to_b } = dates;
    const inverse = { from_a: from_b, to_a: to_b, from_b: from_a, to_b: to_a };
    expect((await compare(own, inverse)).data.reasons).toEqual(['method_changed']);
    await setMethod('words');
    // With `match.verify` the LLM judge decides mentions too.
    const match = { case_sensitive: false, exclude: [], verify: true };
    await waitUntilHandled(results, await results.emitBrand({ ...own, match }, 2));
    expect((await compare(own, dates)).data).toMatchObject({
      verdict: 'not_comparable',
      reasons: ['method_changed'],
    });
    expect((await compare(own, later)).data).toMatchObject({ verdict: 'down', reasons: [] });
  });
});
