import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compareScores, getChanges } from '@bv/contract';
import { listChangedBrands } from '../src/db/brand-summaries.ts';
import {
  addBrandWithUnits,
  createServicePool,
  toQuery,
  type UnitBrand,
  createUnit,
} from './check-windows.ts';
import { brandData } from './events.ts';
import { addToCatalog, type Results, startResults, toBrandParams } from './results.ts';
import { toDay } from './unit-history.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const read = (orgId: string, query: Record<string, string> = {}) =>
  results.call(getChanges, { params: { orgId }, query: toQuery(query) });

/** Mentions of prompt `prompt` on a day: more in the last week by about this many answers of seven. */
const mentions = (day: string, prompt: number, more: number): boolean =>
  (Number(day.slice(-2)) + prompt) % 7 < 2 + (prompt % 2) + (day < '2026-11-15' ? 0 : more);

/** A brand with one answer a day of each of eight prompts, on the last 14 days. */
async function addBrand(orgId: string, more: number, country = 'US'): Promise<UnitBrand> {
  const days = Array.from({ length: 14 }, (_, offset) => toDay('2026-11-08', offset));
  const create = (promptIds: readonly string[]) =>
    days.flatMap((runDate) =>
      promptIds.map((promptId, prompt) =>
        createUnit(promptId, runDate, {
          country,
          position: mentions(runDate, prompt, prompt < 5 ? more : 0) ? 1 : null,
          cited: prompt === 0,
          competitors: prompt % 2,
        }),
      ),
    );
  const brand = await addBrandWithUnits(results, 8, create, orgId);
  await brand.importUnits(brand.units);
  return brand;
}

test('200: the comparison of each brand, with verdicts by the q-values of all', async () => {
  const org = randomUUID();
  const rising = await addBrand(org, 3);
  const steady = [await addBrand(org, 0), await addBrand(org, 0), await addBrand(org, 0)];
  const unmeasured = brandData({ org_id: org });
  const archived = brandData({ org_id: org, sunset_at: '2026-11-20T00:00:00.000000Z' });
  await addToCatalog(results, { brands: [unmeasured, archived] });
  await addBrand(randomUUID(), 3);

  for (const metric of ['score', 'mention_rate', 'share_of_voice', 'citation_rate', 'sentiment']) {
    const { data } = await read(org, { metric });
    expect(data.rows).toHaveLength(5);
    for (const row of data.rows) {
      const brand = { org_id: org, id: row.brand.id } as typeof unmeasured;
      const alone = await results.call(compareScores, {
        params: toBrandParams(brand),
        query: toQuery({ metric }),
      });
      const { a, b, difference, reasons } = alone.data;
      expect({ metric, ...row }).toMatchObject({ metric, a, b, difference, reasons });
    }
  }

  const { data } = await read(org, { metric: 'mention_rate' });
  const [first, ...others] = data.rows;
  expect(first).toMatchObject({ brand: { id: rising.own.id, name: rising.own.name }, verdict: 'up' });
  // Four brands are tested, and this is the smallest p-value.
  expect(first!.q_value).toBeCloseTo(4 * first!.p_value!, 12);
  expect(others.slice(0, 3).map(({ brand }) => brand.id)).toEqual(steady.map(({ own }) => own.id).toSorted());
  expect(others.slice(0, 3)).toMatchObject(
    steady.map(() => ({ verdict: 'no_evidence', p_value: 1, q_value: 1, difference: { value: 0 } })),
  );
  expect(others[3]).toMatchObject({
    brand: { id: unmeasured.id },
    verdict: 'not_comparable',
    p_value: null,
    q_value: null,
    difference: null,
    reasons: ['too_few'],
  });
  expect(data).toMatchObject({
    window_days: 7,
    metric: 'mention_rate',
    country: null,
    fdr: 0.05,
    tested: 4,
    not_comparable: 1,
    up: 1,
    down: 0,
    median_difference: 0,
  });
});

test('200: `fdr` decides which q-values are changes, `country` and `window_days` which answers count', async () => {
  const org = randomUUID();
  const [german] = [await addBrand(org, 1, 'DE'), await addBrand(org, 0), await addBrand(org, 0)];
  const find = async (query: Record<string, string>) => {
    const { data } = await read(org, { metric: 'mention_rate', ...query });
    return { ...data, row: data.rows.find(({ brand }) => brand.id === german.own.id)! };
  };
  const { q_value: q } = (await find({})).row;
  expect(q).toBeGreaterThan(0.001);
  expect(q).toBeLessThan(0.5);
  expect((await find({ fdr: String(q! / 2) })).row.verdict).toBe('no_evidence');
  expect((await find({ fdr: '0.5' })).row.verdict).toBe('up');
  expect(await find({ country: 'de' })).toMatchObject({ country: 'DE', tested: 1, not_comparable: 2 });
  const long = await find({ window_days: '28' });
  expect(long).toMatchObject({ tested: 0, median_difference: null, row: { reasons: ['too_few'] } });
  expect(long.row.a).toMatchObject({ from: '2026-09-27', to: '2026-10-24' });
  expect(long.row.b).toMatchObject({ from: '2026-10-25', to: '2026-11-21' });
});

test('of more brands than one response compares, those with the newest results are compared', async () => {
  const orgId = randomUUID();
  const [older, newer] = [await addBrand(orgId, 0), await addBrand(orgId, 0)].toSorted((a, b) =>
    a.own.id < b.own.id ? -1 : 1,
  ) as [UnitBrand, UnitBrand];
  await results.query(`delete from scores where brand_id = $1 and run_date > '2026-11-18'`, [older.own.id]);
  const pool = createServicePool(results);
  const list = async (today: string) =>
    (await listChangedBrands(pool, { orgId, today, limit: 1 })).map(({ id }) => id);
  expect([await list('2026-11-18'), await list('2026-11-21')]).toEqual([[older.own.id], [newer.own.id]]);
  await pool.end();
});

test('200: no rows without a brand', async () => {
  const { data } = await read(randomUUID());
  expect(data).toMatchObject({ tested: 0, not_comparable: 0, up: 0, down: 0, rows: [] });
});

test.each([
  ['window_days', '14'],
  ['window_days', 'week'],
  ['metric', 'average_position'],
  ['fdr', '0'],
  ['fdr', '0.6'],
  ['fdr', '5%'],
  ['country', ''],
])('400: %s=%s', async (path, value) => {
  const response = await read(randomUUID(), { [path]: value });
  expect(response.status).toBe(400);
  expect(response.error).toMatchObject({ code: 'validation_error', details: [{ path }] });
});
