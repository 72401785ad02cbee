import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compareScores, listScores, operatorDeleteBrandUnits, type Score } from '@bv/contract';
import { type Pool, transaction } from '@bv/postgres';
import { windowRates } from '@bv/statistics';
import { readComparisons } from '../src/commands/compare-windows.ts';
import { scoreDay } from '../src/commands/score-day.ts';
import { lockBrandToken } from '../src/db/brands.ts';
import { listCellChanges, toWindowCell } from '../src/db/cell-days.ts';
import {
  addBrandWithUnits,
  checkRow,
  createServicePool,
  expectPoints,
  expectRounded,
  toQuery,
  type UnitBrand,
} from './check-windows.ts';
import {
  effectiveUnits,
  expectedComparison,
  latestUnits,
  pooled,
  type Unit,
  wilsonBounds,
} from './expected-windows.ts';
import { type Results, startResults, toBrandParams } from './results.ts';
import { createRandom, createUnits, toDay } from './unit-history.ts';

const firstDay = '2026-08-20';
const days = 90;
const countries = ['DE', 'US'];
const platforms = ['ai_overviews', 'chatgpt', 'gemini'];
const metrics = ['score', 'mention_rate', 'sentiment', 'citation_rate', 'share_of_voice'] as const;
const windows = { day: 1, '7d': 7, '28d': 28 } as const;
const [randomWindows, comparisons] = [150, 300];
const seed = 20261121;
const random = createRandom(seed);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

let results: Results;
let pool: Pool;
/** Brands of different sizes, with the units that are left after every change. */
let brands: UnitBrand[];

beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  pool = createServicePool(results);
  const sizes = [
    { prompts: 9, density: 0.5, length: 60 },
    { prompts: 14, density: 0.12, length: days },
    { prompts: 4, density: 0.6, length: 45 },
    { prompts: 1, density: 0.7, length: 40 },
  ];
  brands = [];
  for (const { prompts, density, length } of sizes) {
    const plan = { random, countries, platforms, firstDay, days: length, density };
    const brand = await addBrandWithUnits(results, prompts, (promptIds) =>
      createUnits({ ...plan, promptIds }),
    );
    // Units of any day arrive in either of two imports: later ones add to days that are already scored.
    const batches = Map.groupBy(brand.units, () => Math.floor(random() * 2));
    for (const batch of batches.values()) await brand.importUnits(batch);
    await deleteDays(brand);
    await reprocessDays(brand);
    brands.push(brand);
  }
}, 240_000);
afterAll(async () => {
  await pool.end();
  await results.stop();
});

/** Deletes the units of some days, and imports half of them again. */
async function deleteDays(brand: UnitBrand): Promise<void> {
  const [from, to] = [toDay(firstDay, 20), toDay(firstDay, 23)];
  const response = await results.call(operatorDeleteBrandUnits, {
    params: { brandId: brand.own.id },
    body: { from, to, import_only: true },
  });
  expect(response.status).toBe(200);
  const deleted = brand.units.filter(({ runDate }) => from <= runDate && runDate <= to);
  brand.units = brand.units.filter((unit) => !deleted.includes(unit));
  const again = deleted.filter(() => random() < 0.5);
  await brand.importUnits(again);
  brand.units.push(...again);
}

/** Does to some days what a reprocess job does: other mentions in stored units, then the scores of the day. */
async function reprocessDays(brand: UnitBrand): Promise<void> {
  for (const runDate of [toDay(firstDay, 9), toDay(firstDay, 31)]) {
    const changed = brand.units.filter((unit) => unit.runDate === runDate && unit.position !== null);
    await transaction(pool, async (tx) => {
      await lockBrandToken(tx, brand.own.id);
      const ids = changed.map((unit) => brand.ids.get(unit));
      await tx.query('update unit_brands set position = position + 3 where is_own and unit_id = any ($1)', [
        ids,
      ]);
      await tx.query('update units set position = position + 3 where id = any ($1)', [ids]);
      await scoreDay(tx, brand.own.id, runDate);
    });
    for (const unit of changed) unit.position = (unit.position ?? 0) + 3;
  }
}

const inSeries = (units: readonly Unit[], country: string | undefined): Unit[] =>
  units.filter((unit) => country === undefined || unit.country === country);
const within = (units: readonly Unit[], from: string, to: string): Unit[] =>
  units.filter(({ runDate }) => from <= runDate && runDate <= to);

async function readRows(brand: UnitBrand, query: Record<string, string | undefined>): Promise<Score[]> {
  const params = toBrandParams(brand.own);
  const range = { from: '2026-01-01', to: '2026-11-21', limit: '200' };
  const response = await results.call(listScores, { params, query: toQuery({ ...range, ...query }) });
  expect(response.pagination).toEqual({ next_cursor: null, has_more: false });
  return [...response.data];
}

describe.each(Object.entries(windows))('rows of window=%s', (window, length) => {
  test('are those computed from single units, for every day and series', async () => {
    let checked = 0;
    for (const brand of brands) {
      for (const country of [undefined, ...countries]) {
        const units = inSeries(brand.units, country);
        const rows = await readRows(brand, { window, country });
        const measured = [...new Set(units.map(({ runDate }) => runDate))].toSorted().toReversed();
        expect(rows.map((row) => row.run_date)).toEqual(measured);
        for (const [index, row] of rows.entries()) {
          const unitsOf = (end: string): Unit[] => {
            const pooledUnits = within(units, toDay(end, 1 - length), end);
            return length === 1 ? latestUnits(pooledUnits) : pooledUnits;
          };
          const previous = rows[index + 1];
          checkRow(row, {
            window,
            country: country ?? null,
            units: unitsOf(row.run_date),
            previous: previous && { score: previous.score, units: unitsOf(previous.run_date) },
          });
          checked += 1;
        }
      }
    }
    expect(checked).toBeGreaterThan(400);
  }, 60_000);
});

test(`${randomWindows} random windows agree with single units to 1e-9 before they are rounded`, async () => {
  let withValues = 0;
  for (let index = 0; index < randomWindows; index += 1) {
    const brand = pick(brands);
    const country = pick([undefined, ...countries]);
    const end = Math.floor(random() * days);
    const window = { from: toDay(firstDay, end + 1 - pick([1, 7, 28])), to: toDay(firstDay, end) };
    const rows = await listCellChanges(pool, brand.own.id, { added: window, removed: null });
    const cells = rows.map(toWindowCell).filter((cell) => country === undefined || cell.country === country);
    const rates = windowRates(cells);
    const units = within(inSeries(brand.units, country), window.from, window.to);
    const mentionRate = pooled(units, 'mention_rate');
    const bounds = mentionRate === null ? null : wilsonBounds(mentionRate, effectiveUnits(units));
    const pairs: [number | null, number | null][] = [
      [rates.score, pooled(units, 'score')],
      [rates.mentionRate, mentionRate],
      [rates.bounds.mentionRate?.low ?? null, bounds?.low ?? null],
      [rates.bounds.mentionRate?.high ?? null, bounds?.high ?? null],
      [rates.unitsEffective, effectiveUnits(units)],
      [rates.sentiment, pooled(units, 'sentiment')],
      [rates.citationRate, pooled(units, 'citation_rate')],
      [rates.averagePosition, pooled(units, 'average_position')],
    ];
    for (const [actual, expected] of pairs) {
      expect(actual === null).toBe(expected === null);
      expect(Math.abs((actual ?? 0) - (expected ?? 0))).toBeLessThan(1e-9);
    }
    withValues += mentionRate === null ? 0 : 1;
  }
  expect(withValues).toBeGreaterThan(randomWindows / 2);
}, 60_000);

type Window = { from: string; to: string };

/** Two windows without a common day, either of them first. */
function pickWindows() {
  const length = (): number => 1 + Math.floor(random() ** 2 * 40);
  const [first, gap, second] = [length(), Math.floor(random() * 8), length()];
  const start = Math.floor(random() * (days - first - gap)) - 5;
  const early = { from: toDay(firstDay, start), to: toDay(firstDay, start + first - 1) };
  const late = { from: toDay(early.to, 1 + gap), to: toDay(early.to, gap + second) };
  return random() < 0.5 ? { a: early, b: late } : { a: late, b: early };
}

const toDates = (a: Window, b: Window) => ({ from_a: a.from, to_a: a.to, from_b: b.from, to_b: b.to });
const isShort = ({ from, to }: Window): boolean => toDay(from, 2) > to;

const expectClose = (actual: number | null, expected: number | null): void =>
  expect(Math.abs((actual ?? 0) - (expected ?? 0))).toBeLessThan(1e-9);

type Expected = ReturnType<typeof expectedComparison>;

function verdictOf({ difference, isTooFew, isModelChanged, isUnequal }: Expected): string {
  if (isTooFew || isModelChanged || isUnequal || difference === null) return 'not_comparable';
  if (difference.low > 1e-9) return 'up';
  return difference.high < -1e-9 ? 'down' : 'no_evidence';
}

function reasonsOf(expected: Expected, isShort: boolean): string[] {
  if (!expected.isPaired) return ['too_few'];
  const { isTooFew, isModelChanged, isUnequal, isPromptSetChanged } = expected;
  return [
    ...(isTooFew ? ['too_few'] : []),
    ...(isModelChanged ? ['model_changed'] : []),
    ...(isUnequal ? ['unequal_answers'] : []),
    ...(isPromptSetChanged ? ['prompt_set_changed'] : []),
    ...(isShort ? ['short_window'] : []),
  ];
}

test(`${comparisons} random comparisons agree with those of single units, before and after rounding`, async () => {
  const verdicts = new Map<string, number>();
  for (let index = 0; index < comparisons; index += 1) {
    const brand = pick(brands);
    const { a, b } = pickWindows();
    const metric = pick(metrics);
    const country = pick([undefined, undefined, ...countries]);
    const platform = pick([undefined, undefined, ...platforms]);
    const units = inSeries(brand.units, country).filter(
      (unit) => platform === undefined || unit.platform === platform,
    );
    const expected = expectedComparison(within(units, a.from, a.to), within(units, b.from, b.to), metric);
    const verdict = verdictOf(expected);
    const query = toQuery({ ...toDates(a, b), metric, country, platform });
    const { data } = await results.call(compareScores, { params: toBrandParams(brand.own), query });
    expect({ index, query, ...data }).toMatchObject({
      index,
      query,
      metric,
      country: country ?? null,
      platform: platform ?? null,
      a: { ...a, units: expected.a.units, prompts: expected.a.prompts },
      b: { ...b, units: expected.b.units, prompts: expected.b.prompts },
      verdict,
      reasons: reasonsOf(expected, [a, b].some(isShort)),
    });
    const series = {
      brandIds: [brand.own.id],
      countries: country === undefined ? null : [country],
      platforms: platform === undefined ? null : [platform],
    };
    const exact = (await readComparisons(pool, series, { a, b, metric, confidence: 0.95 }))(brand.own.id);
    for (const side of ['a', 'b'] as const) {
      expectRounded(data[side].value, expected[side].value);
      expectClose(exact[side].value, expected[side].value);
    }
    for (const field of ['value', 'low', 'high'] as const) {
      const wanted = expected.difference?.[field] ?? null;
      expectPoints(data.difference?.[field] ?? null, wanted);
      expectClose(exact.difference?.[field] ?? null, wanted);
    }
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  // Every verdict occurs, else the brands are not varied enough.
  expect([...verdicts.keys()].toSorted()).toEqual(['down', 'no_evidence', 'not_comparable', 'up']);
}, 120_000);
