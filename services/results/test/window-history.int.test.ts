import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { compareScores, listScores } from '@bv/contract';
import { transaction } from '@bv/postgres';
import { eventually } from '@bv/testkit';
import { scoreDay } from '../src/commands/score-day.ts';
import { addBrandWithUnits, createServicePool, toQuery, type UnitBrand } from './check-windows.ts';
import { type Results, startResults, toBrandParams } from './results.ts';
import { createRandom, createUnits } from './unit-history.ts';

let results: Results;
let brands: UnitBrand[];

beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  const random = createRandom(7);
  const plan = { random, countries: ['DE', 'US'], platforms: ['chatgpt', 'gemini'], firstDay: '2026-10-01' };
  brands = [];
  for (const prompts of [4, 3, 2]) {
    const brand = await addBrandWithUnits(results, prompts, (promptIds) =>
      createUnits({ ...plan, promptIds, days: 40, density: 0.4 }),
    );
    await brand.importUnits(brand.units);
    brands.push(brand);
  }
}, 120_000);
afterAll(() => results.stop());

const readStored = () =>
  Promise.all([
    // The last digits of a sum of fractions depend on the order in which Postgres reads the units.
    results.query(
      `select to_jsonb(c) || jsonb_build_object('unit_score_sum', round(unit_score_sum::numeric, 9)) as row
       from cell_days c order by 1`,
    ),
    results.query("select to_jsonb(w) - 'computed_at' as row from window_scores w order by 1"),
    results.query(
      'select brand_id, country, run_date, models, prompts_measured from scores order by 1, 2, 3',
    ),
  ]);
const countUnwindowed = async (): Promise<number> =>
  (await results.query('select 1 from unwindowed_days')).length;

/** What the migration finds in a database of the earlier release. One transaction: the service reads all of it or nothing. */
const migration = await readFile(new URL('../migrations/0021_unwindowed_days.sql', import.meta.url), 'utf8');
const forgetWindows = `truncate cell_days, window_scores;
  update scores set models = null, prompts_measured = null;
  ${migration}`;

/** A new process looks for unwindowed days at once. */
async function waitUntilWindowed(replicas: number): Promise<void> {
  const started = await Promise.all(Array.from({ length: replicas }, () => results.startReplica()));
  await eventually(async () => expect(await countUnwindowed()).toBe(0), { timeoutMs: 60_000 });
  for (const replica of started) await replica.stop();
}

test('the windows of days of an earlier release are those of days that are scored now, also with two replicas', async () => {
  const expected = await readStored();
  for (const rows of expected) expect(rows.length).toBeGreaterThan(100);
  expect(await countUnwindowed()).toBe(0);
  await results.query(forgetWindows);
  await waitUntilWindowed(2);
  expect(await readStored()).toEqual(expected);
}, 90_000);

test('the windows of a brand with very many cells, whose days are read in parts, are the same', async () => {
  const expected = await readStored();
  const add = 'update scores set units_total = units_total + $1';
  await results.query(add, [300_000]);
  await results.query(forgetWindows);
  await waitUntilWindowed(1);
  expect(await readStored()).toEqual(expected);
  await results.query(add, [-300_000]);
}, 90_000);

test('a day that a process of the earlier release scores is windowed again', async () => {
  const [{ own }] = brands as [UnitBrand];
  const expected = await readStored();
  // A unit less, and the scores of the day, without what this release stores with them.
  const deleted = await results.query(
    `with unit as (select id from units where brand_id = $1 and run_date = '2026-10-20' limit 1), brands as (
       delete from unit_brands where unit_id in (select id from unit))
     delete from units where id in (select id from unit) returning *`,
    [own.id],
  );
  expect(deleted).toHaveLength(1);
  const rescored = "update scores set computed_at = now() where brand_id = $1 and run_date = '2026-10-20'";
  await results.query(rescored, [own.id]);
  await waitUntilWindowed(1);
  const changed = await readStored();
  expect(changed).not.toEqual(expected);
  // The same as this release computes.
  await results.query(forgetWindows);
  await waitUntilWindowed(1);
  expect(await readStored()).toEqual(changed);
}, 90_000);

test('until its days are windowed, a brand has no rows of windows instead of incomplete ones, and comparisons are complete', async () => {
  const [, { own }] = brands as [UnitBrand, UnitBrand];
  const params = toBrandParams(own);
  const list = async (window: string) => {
    const query = toQuery({ window, from: '2026-10-01', to: '2026-11-21', limit: '200' });
    return (await results.call(listScores, { params, query })).data;
  };
  const compare = async () => {
    const dates = { from_a: '2026-10-05', to_a: '2026-10-14', from_b: '2026-10-15', to_b: '2026-10-30' };
    return (await results.call(compareScores, { params, query: toQuery(dates) })).data;
  };
  const [days, weeks, comparison] = [await list('day'), await list('7d'), await compare()];
  expect(comparison.a.units).toBeGreaterThan(10);
  const pool = createServicePool(results);
  await transaction(pool, async (tx) => {
    // The background job skips brands whose token row is locked.
    await tx.query('select 1 from brand_tokens for update');
    await results.query(forgetWindows);
    expect(await list('7d')).toEqual([]);
    expect(await list('day')).toEqual(
      days.map((row) => ({ ...row, models: [], prompts_measured: 0, model_changed: null })),
    );
    expect(await compare()).toEqual(comparison);
    const last = days[0]!.run_date;
    await scoreDay(tx, own.id, last);
    const { rows } = await tx.query('select 1 from window_scores where brand_id = $1', [own.id]);
    expect(rows).toEqual([]);
  });
  await pool.end();
  await waitUntilWindowed(1);
  const withoutTime = (rows: typeof weeks) => rows.map(({ computed_at: _, ...row }) => row);
  expect(withoutTime(await list('7d'))).toEqual(withoutTime(weeks));
}, 90_000);
