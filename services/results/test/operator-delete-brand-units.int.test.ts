import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  listBrandSummaries,
  listMentions,
  listPromptResults,
  listScores,
  listShareOfVoice,
  listSources,
  operatorDeleteBrandUnits,
} from '@bv/contract';
import { testCaller } from '@bv/testkit';
import { importLine, jobData, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  importUnits,
  readPublishedHeader,
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitUntilScored,
} from './results.ts';

type Brands = Awaited<ReturnType<typeof addBrandWithCompetitor>>;
let results: Results;
let brands: Brands;

beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());
/** Every test has a brand of its own. */
beforeEach(async () => {
  brands = await addBrandWithCompetitor(results);
});

const line = (overrides: Record<string, unknown> = {}) =>
  importLine(brands.prompt, {
    brands: [{ brand_id: brands.competitor.id, position: 1, sentiment: 90 }],
    sources: [{ url: 'https://rival.com/x', title: 'Zed' }, { url: 'https://other.com/' }],
    ...overrides,
  });
const importLines = async (lines: object[]) => (await importUnits(results, lines)).data;
const remove = (body: object, brandId: string = brands.own.id) =>
  results.call(operatorDeleteBrandUnits, { params: { brandId }, body });
const everything = { from: '2026-01-01', to: '2026-12-31', import_only: true };

/** A scan of one answered unit a day; the own brand is first in it. */
async function scan(runDate: string): Promise<void> {
  const { own, competitor, prompt } = brands;
  const found = [
    { ...own, position: 1 },
    { ...competitor, position: 2 },
  ];
  const job_id = randomUUID();
  const sources = [
    { position: 1, url: 'https://acme.com/a', domain: 'acme.com', title: 'Acme', cited: true },
    { position: 2, url: 'https://rival.com/x', domain: 'rival.com', title: 'Anvils', cited: true },
  ];
  await results.emitUnit(unitData(prompt, found, { job_id, run_date: runDate, sources, country: 'DE' }));
  await results.emitJob(jobData(own, job_id, { run_date: runDate, countries: ['DE'] }));
  await waitUntilScored(results, job_id);
}

/** Everything that is read of the brand, without the moment a row was computed. */
async function readFigures(): Promise<unknown> {
  const params = toBrandParams(brands.own);
  const promptParams = toPromptParams(brands.prompt);
  const window = 'from=2026-10-01&to=2026-11-21';
  const responses = await Promise.all([
    results.call(listBrandSummaries, { params }),
    results.call(listScores, { params, query: window }),
    results.call(listScores, { params, query: `${window}&country=DE` }),
    results.call(listScores, { params, query: `${window}&country=US` }),
    results.call(listShareOfVoice, { params, query: window }),
    results.call(listShareOfVoice, { params, query: `${window}&platform=gemini&country=DE` }),
    results.call(listShareOfVoice, { params, query: `${window}&platform=chatgpt` }),
    results.call(listSources, { params, query: `${window}&limit=200` }),
    results.call(listMentions, { params, query: window }),
    results.call(listPromptResults, { params: promptParams, query: window }),
  ]);
  const text = JSON.stringify(
    responses.map(({ data }) => data),
    (key, value: unknown) => (/^(computed_at|changed_at)$/.test(key) ? null : value),
  );
  return JSON.parse(text);
}

describe('200', () => {
  test('what is left reads as if the units had never been imported', async () => {
    await scan('2026-11-18');
    await scan('2026-11-20');
    const before = await readFigures();
    const lines = [
      // The same cell as the scan's, and later than it.
      line({ run_date: '2026-11-18', platform: 'chatgpt', finalized_at: '2026-11-18T23:00:00Z' }),
      line({ run_date: '2026-11-18', country: 'US' }),
      line({ run_date: '2026-11-19' }),
      line({ run_date: '2026-11-19', outcome: 'no_answer', brands: [], sources: [] }),
      line({ run_date: '2026-11-20' }),
      line({ run_date: '2026-10-05' }),
    ];
    expect(await importLines(lines)).toMatchObject({ imported: 6, rejected: [] });
    expect(await readFigures()).not.toEqual(before);
    const response = await remove(everything);
    expect(response.data).toEqual({ deleted: 6 });
    expect(await readFigures()).toEqual(before);
    expect(readPublishedHeader(response)).toEqual([
      { subject: expect.stringContaining('results.brand.changed'), seq: expect.any(Number) },
    ]);
    for (const table of ['unit_brands', 'unit_sources']) {
      const orphans = `select 1 from ${table} t
        where not exists (select 1 from units u where u.brand_id = t.own_brand_id and u.id = t.unit_id)`;
      expect(await results.query(orphans)).toHaveLength(0);
    }
    expect(await results.query("select 1 from outbox where type = 'results.scan.scored.v1'")).toHaveLength(2);
  });

  test('only the days of the window, both ends included; the day behind it has another previous score', async () => {
    await scan('2026-11-20');
    const days = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'];
    await importLines(days.map((run_date) => line({ run_date })));
    const window = { from: '2026-11-11', to: '2026-11-13', import_only: true };
    expect((await remove(window)).data).toEqual({ deleted: 3 });
    const readScores = async () => {
      const query = 'from=2026-11-01&to=2026-11-20';
      return (await results.call(listScores, { params: toBrandParams(brands.own), query })).data;
    };
    expect(await readScores()).toMatchObject([
      { run_date: '2026-11-20', score: 100, previous_score: 0, change: 100 },
      { run_date: '2026-11-10', score: 0, previous_score: null },
    ]);
    await remove({ ...everything, from: '2026-11-10', to: '2026-11-10' });
    expect(await readScores()).toMatchObject([{ run_date: '2026-11-20', previous_score: null }]);
  });

  test('again: nothing is left to delete and the change token stays; a deleted unit_id is imported again', async () => {
    const lines = [line(), line({ country: 'US' })];
    await importLines(lines);
    expect((await remove(everything)).data).toEqual({ deleted: 2 });
    const version = await readTokenVersion(results, brands.own);
    expect((await remove(everything)).data).toEqual({ deleted: 0 });
    expect(await readTokenVersion(results, brands.own)).toBe(version);
    expect(await importLines(lines)).toMatchObject({ imported: 2, duplicates: 0 });
  });

  test('units of scans stay, and so do those of other brands', async () => {
    await scan('2026-11-19');
    const first = brands;
    brands = await addBrandWithCompetitor(results);
    await importLines([line()]);
    expect((await remove(everything, first.own.id)).data).toEqual({ deleted: 0 });
    expect((await remove(everything)).data).toEqual({ deleted: 1 });
    expect(await results.query('select 1 from units where brand_id = $1', [first.own.id])).toHaveLength(1);
  });

  test('a day is deleted at once however many units it has: no reader sees a part', async () => {
    const { own } = brands;
    const lines = Array.from({ length: 4_500 }, () => line());
    expect(await importLines(lines)).toMatchObject({ imported: 4_500, rejected: [] });
    type Snapshot = { units: number; cited: number; total: number };
    const snapshots: Snapshot[] = [];
    const readSnapshot = async () => {
      const rows = await results.query<Snapshot>(
        `select (select count(*) from units where brand_id = $1)::int as units,
                (select coalesce(sum(citations), 0) from source_days where brand_id = $1)::int as cited,
                (select count(*) from scores where brand_id = $1)::int as total`,
        [own.id],
      );
      snapshots.push(...rows);
    };
    await readSnapshot();
    let isDone = false;
    const watching = (async () => {
      while (!isDone) await readSnapshot();
    })();
    const [first, second] = await Promise.all([remove(everything), remove(everything)]);
    isDone = true;
    await watching;
    await readSnapshot();
    expect(first.data.deleted + second.data.deleted).toBe(4_500);
    const states = new Set(snapshots.map(({ units, cited, total }) => `${units} ${cited} ${total}`));
    expect([...states]).toEqual(['4500 9000 2', '0 0 0']);
  }, 60_000);

  test('an import of the same units at the same time ends with all of them or none, and their figures', async () => {
    const { own } = brands;
    const run_date = '2026-11-19';
    // As many as an import stores in one transaction.
    const lines = ['DE', 'US'].flatMap((country) =>
      Array.from({ length: 250 }, () => line({ run_date, country })),
    );
    await importLines(lines);
    const [removedFirst, importedFirst, removedSecond, importedSecond] = await Promise.all([
      remove(everything),
      importLines(lines),
      remove(everything),
      importLines(lines),
    ]);
    for (const { imported, duplicates } of [importedFirst, importedSecond]) {
      expect([0, 500]).toContain(imported);
      expect(imported + duplicates).toBe(500);
    }
    const deleted = removedFirst.data.deleted + removedSecond.data.deleted;
    const stored = 500 + importedFirst.imported + importedSecond.imported - deleted;
    expect([0, 500]).toContain(stored);
    const rows = await results.query(
      `select (select count(*) from units where brand_id = $1)::int as units,
              (select coalesce(sum(citations), 0) from source_days where brand_id = $1)::int as cited,
              (select coalesce(sum(units_answered), 0) from answered_days where brand_id = $1)::int as answered,
              (select count(*) from scores where brand_id = $1)::int as scores,
              (select count(*) from unscored_days where brand_id = $1)::int as unscored`,
      [own.id],
    );
    // One series of all markets and one of each of the two.
    const scores = Math.sign(stored) * 3;
    expect(rows).toEqual([{ units: stored, cited: stored * 2, answered: stored, scores, unscored: 0 }]);
    await importLines(lines);
    const before = await readFigures();
    await results.query('insert into unscored_days values ($1, $2)', [own.id, run_date]);
    await importLines(lines.slice(0, 1));
    expect(await results.query('select 1 from unscored_days where brand_id = $1', [own.id])).toEqual([]);
    expect(await readFigures()).toEqual(before);
    await remove(everything);
    expect(await results.query('select 1 from scores where brand_id = $1', [own.id])).toEqual([]);
  }, 60_000);
});

describe('refusals', () => {
  const refusal = (path: string, code: string) => ({
    status: 400,
    code: 'validation_error',
    details: [expect.objectContaining({ path, code })],
  });

  test.each([false, 'true', 1, null, undefined])('400 validation_error: import_only is %p', async (value) => {
    await importLines([line()]);
    expect((await remove({ ...everything, import_only: value })).refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'import_only' }],
    });
    expect((await remove(everything)).data).toEqual({ deleted: 1 });
  });

  test.each([
    ['2026-11-02', '2026-11-01', 'from/to', 'window_inverted'],
    ['2025-11-01', '2026-11-03', 'from/to', 'window_too_wide'],
    ['2026-02-30', '2026-03-01', 'from/to', 'invalid_date'],
    ['1 May', '2026-03-01', 'from', 'invalid_format'],
    ['2026-03-01', undefined, 'to', 'invalid_type'],
    [undefined, '2026-03-01', 'from', 'invalid_type'],
  ])('400 validation_error: the window from %p to %p', async (from, to, path, code) => {
    expect((await remove({ from, to, import_only: true })).refusal).toEqual(refusal(path, code));
  });

  test.each([
    ['2025-11-01', '2026-11-02'],
    ['2099-01-01', '2099-12-31'],
  ])('200: the window from %s to %s', async (from, to) => {
    expect((await remove({ from, to, import_only: true })).data).toEqual({ deleted: 0 });
  });

  test('404 not_found: a brand that nobody knows; 400 own_brand_only: a competitor; 400: no id', async () => {
    expect((await remove(everything, randomUUID())).refusal).toEqual({ status: 404, code: 'not_found' });
    expect((await remove(everything, brands.competitor.id)).refusal).toEqual(
      refusal('brandId', 'own_brand_only'),
    );
    expect((await remove(everything, 'x')).refusal).toEqual(refusal('brandId', 'invalid_format'));
  });

  test('401 for a caller that is not the operator', async () => {
    const response = await results.call(operatorDeleteBrandUnits, {
      params: { brandId: brands.own.id },
      body: everything,
      caller: testCaller(),
    });
    expect(response.status).toBe(401);
  });
});
