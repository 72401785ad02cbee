import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getPrecision } from '@bv/contract';
import { findAnswerPricesRpc, serveRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import { addBrandWithUnits, toQuery, type UnitBrand, createUnit } from './check-windows.ts';
import { type Brand, brandData, jobData } from './events.ts';
import type { Unit } from './expected-windows.ts';
import { addToCatalog, type Results, startResults, toBrandParams } from './results.ts';
import { createRandom, toDay } from './unit-history.ts';

let results: Results;
/** 6 prompts on two platforms, an answer a day on the 91 days up to today, 2026-11-21. */
let brand: UnitBrand;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  const random = createRandom(57);
  brand = await addUnits((unit, prompt) => ({
    ...unit,
    position:
      random() < 0.1 + 0.1 * prompt + (unit.platform === 'gemini' && prompt % 2 === 0 ? 0.4 : 0)
        ? 1 + Math.floor(random() * 9)
        : null,
    cited: random() < 0.3,
  }));
});
afterAll(() => results.stop());

const first = '2026-08-23';
const platforms = ['chatgpt', 'gemini'];

async function addUnits(change: (unit: Unit, prompt: number) => Unit, days = 91): Promise<UnitBrand> {
  const added = await addBrandWithUnits(results, 6, (ids) =>
    Array.from({ length: days }, (_, day) => toDay(first, 91 - days + day)).flatMap((runDate) =>
      ids.flatMap((promptId, prompt) =>
        platforms.map((platform) => change(createUnit(promptId, runDate, { platform }), prompt)),
      ),
    ),
  );
  await added.importUnits(added.units);
  return added;
}

const read = (of: Brand, query: Record<string, string> = {}) =>
  results.call(getPrecision, { params: toBrandParams(of), query: toQuery(query) });

type Value = (unit: Unit) => number;
const mentioned: Value = ({ position }) => (position === null ? 0 : 100);
const unitScore: Value = ({ position }) => (position === null ? 0 : 100 / (1 + 0.1 * (position - 1)));
const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;
const varianceOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + (each - mean(values)) ** 2, 0) / (values.length - 1);
const byPrompt = (units: readonly Unit[]): Unit[][] => [
  ...Map.groupBy(units, ({ promptId }) => promptId).values(),
];
const between = (from: string, to: string): Unit[] =>
  brand.units.filter(({ runDate }) => from <= runDate && runDate <= to);
/** Quantiles of t(5) at 97.5 % and 80 %. */
const [t975, t80] = [2.570582, 0.919544];

describe('the figures', () => {
  test('the level has the t interval of the means of its prompts, over the last 28 days', async () => {
    const { data } = await read(brand.own);
    const means = byPrompt(between('2026-10-25', '2026-11-21')).map((units) => mean(units.map(mentioned)));
    expect(data).toMatchObject({
      metric: 'mention_rate',
      from: '2026-10-25',
      to: '2026-11-21',
      prompts: 6,
      cells: 12,
      units: 336,
    });
    expect(data.level.value).toBeCloseTo(mean(means), 1);
    expect(data.level.half_width).toBeCloseTo(t975 * Math.sqrt(varianceOf(means) / 6), 1);
    expect(data.grade_reasons).toEqual(['too_few_prompts', 'too_wide']);
    expect(data.limited_by).toBe('prompts');
  });

  test.each([
    [7, 13],
    [28, 3],
  ] as const)('the smallest change of %d days comes from %d windows up to `to`', async (days, windows) => {
    const { data } = await read(brand.own);
    const means = Array.from({ length: windows }, (_, index) =>
      byPrompt(between(toDay('2026-11-22', -days * (index + 1)), toDay('2026-11-21', -days * index))).map(
        (units) => mean(units.map(mentioned)),
      ),
    );
    const variances = means
      .slice(1)
      .map((before, pair) => varianceOf(before.map((value, prompt) => (means[pair]?.[prompt] ?? 0) - value)));
    const expected = (t975 + t80) * Math.sqrt(mean(variances) / 6);
    expect(data.change[`smallest_detectable_${days}d`]).toBeCloseTo(expected, 1);
  });

  test('the variance of a score on one platform is that of its unit scores within and between prompts', async () => {
    const { data } = await read(brand.own, { metric: 'score', platform: 'gemini', from: '2026-11-12' });
    const prompts = byPrompt(between('2026-11-12', '2026-11-21')).map((units) =>
      units.filter(({ platform }) => platform === 'gemini').map(unitScore),
    );
    const repeat = mean(prompts.map(varianceOf));
    const prompt = varianceOf(prompts.map(mean)) - repeat / 10;
    expect(data.units).toBe(60);
    expect(data.variance.total).toBeCloseTo(repeat + prompt, 1);
    expect(data.variance.repeat.share).toBeCloseTo((100 * repeat) / (repeat + prompt), 1);
    expect(data.variance).toMatchObject({ stratum: { share: 0 }, prompt_by_stratum: { share: 0 } });
  });

  test('days that were scored before their squares existed count for no score', async () => {
    const { own } = await addUnits((unit) => ({ ...unit, position: 1 }), 2);
    await results.query('update cell_days set unit_score_squares = null where brand_id = $1', [own.id]);
    expect((await read(own, { metric: 'score' })).data).toMatchObject({ units: 0, limited_by: 'too_few' });
    expect((await read(own)).data.units).toBe(24);
  });

  test('a brand without answers has nulls and `too_few`, also when it is archived', async () => {
    const own = brandData({ sunset_at: '2026-11-20T10:00:00Z' });
    await addToCatalog(results, { brands: [own] });
    const { data } = await read(own, { metric: 'citation_rate' });
    const none = { share: null, low: null, high: null };
    expect(data).toMatchObject({
      units: 0,
      variance: { prompt: none, stratum: none, prompt_by_stratum: none, repeat: none, total: null },
      level: { value: null, low: null, high: null, half_width: null },
      change: { smallest_detectable_7d: null, smallest_detectable_28d: null, power: 0.8, confidence: 0.95 },
      limited_by: 'too_few',
      grade: 'exploratory',
      options: [],
      recommended: null,
    });
  });
});

test('costs have the price of each platform, and are null while one has none', async () => {
  expect((await read(brand.own)).data.options[0]).toMatchObject({
    units_per_day: 12,
    cost_usd_per_day: null,
  });
  let prices: Record<string, number> = { chatgpt: 0.5, gemini: 0.25 };
  const server = serveRpc(results.connection, findAnswerPricesRpc, async () => prices, {
    queue: 'scans',
    log: results.log,
  });
  await results.connection.connection.flush();
  try {
    expect((await read(brand.own)).data.options[0]).toMatchObject({ cost_usd_per_day: 4.5 });
    prices = { chatgpt: 0.5 };
    expect((await read(brand.own)).data.options[0]).toMatchObject({ cost_usd_per_day: null });
  } finally {
    await server.stop();
  }
});

test('partial runs, a changed model and a short history are reasons that change no grade', async () => {
  const { own } = await addUnits(
    (unit) => ({ ...unit, position: 1, ...(unit.runDate >= '2026-11-15' && { model: 'model-b' }) }),
    14,
  );
  const jobId = randomUUID();
  await results.emitJob(
    jobData(own, jobId, { status: 'failed', units: { total: 2, answered: 0, no_answer: 0, failed: 2 } }),
  );
  await eventually(async () => {
    expect(await results.query('select from scans where job_id = $1', [jobId])).toHaveLength(1);
  });
  const { data } = await read(own, { from: '2026-11-08' });
  expect(data.grade_reasons).toEqual(['too_few_prompts', 'partial_runs', 'model_changed', 'no_history']);
});

test('409 scan_in_progress while a scan is being finalised', async () => {
  const { own } = await addUnits((unit) => unit, 1);
  const jobId = randomUUID();
  await results.emitJob(jobData(own, jobId, { units: { total: 2, answered: 2, no_answer: 0, failed: 0 } }));
  await eventually(async () => {
    expect((await read(own)).error).toMatchObject({ code: 'scan_in_progress' });
  });
});

describe('refusals', () => {
  test.each([
    ['93 days', { from: '2026-08-21' }, 'from/to', 'window_too_wide'],
    ['an inverted window', { from: '2026-11-22' }, 'from/to', 'window_inverted'],
    ['no date', { to: '2026-11-31' }, 'from/to', 'invalid_date'],
    ['a metric without precision', { metric: 'share_of_voice' }, 'metric', 'invalid_value'],
    ['a width below 1', { width: '0.9' }, 'width', 'too_small'],
    ['a width above 50', { width: '50.1' }, 'width', 'too_big'],
    ['a width in words', { width: 'narrow' }, 'width', 'invalid_type'],
  ])('%s', async (_, query, path, code) => {
    const { status, error } = await read(brand.own, query);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test('the bounds of the window and of the width are included', async () => {
    expect((await read(brand.own, { from: '2026-08-22', width: '1' })).status).toBe(200);
  });

  test('a competitor: own_brand_only', async () => {
    const rival = brandData({ is_own: false });
    await addToCatalog(results, { brands: [rival] });
    expect((await read(rival)).error).toMatchObject({
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});
