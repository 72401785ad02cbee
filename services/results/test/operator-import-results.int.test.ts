import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listPromptResults, listScores, operatorImportResults } from '@bv/contract';
import { eventually, testCaller } from '@bv/testkit';
import { importLine } from './events.ts';
import {
  addBrandWithCompetitor,
  importUnits,
  readPublishedHeader,
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
  toNdjson,
  toPromptParams,
} from './results.ts';

let results: Results;
let brands: Awaited<ReturnType<typeof addBrandWithCompetitor>>;

beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  brands = await addBrandWithCompetitor(results);
});
afterAll(() => results.stop());

const line = (overrides: Record<string, unknown> = {}) =>
  importLine(brands.prompt, {
    country: 'de',
    answer_text: 'Acme leads.',
    brands: [{ brand_id: brands.own.id, position: 1, sentiment: 90 }],
    sources: [{ url: 'https://www.acme.com/x' }],
    ...overrides,
  });

const readLastSeq = async (): Promise<number> => {
  const [row] = await results.query<{ seq: number }>(
    "select max(stream_seq)::int as seq from outbox where type = 'results.brand.changed.v1'",
  );
  return row!.seq;
};

test('201: valid lines are stored and scored, invalid lines are reported by number, repeats are duplicates', async () => {
  const lines = [
    line(),
    '{not json',
    line({ brand_id: randomUUID() }),
    line({ platform: 'bard' }),
    '',
    line({ brands: [{ brand_id: randomUUID(), position: 1, sentiment: null }] }),
    line({ outcome: 'no_answer' }),
    line({ brand_id: brands.competitor.id }),
    line({ brands: [], country: 'US' }),
  ];
  const response = await importUnits(results, lines);
  expect(response.status).toBe(201);
  expect(response.data).toMatchObject({ imported: 2, duplicates: 0 });
  expect(readPublishedHeader(response)).toEqual([
    { subject: expect.stringContaining('results.brand.changed'), seq: await readLastSeq() },
  ]);
  expect(response.data.rejected.map((entry) => entry.line)).toEqual([2, 3, 4, 6, 7, 8]);
  expect((await importUnits(results, lines)).data).toMatchObject({ imported: 0, duplicates: 2 });

  expect((await results.call(listScores, { params: toBrandParams(brands.own) })).data).toMatchObject([
    {
      run_date: '2026-11-19',
      score: 50,
      mention_rate: 50,
      citation_rate: 100,
      sentiment: 90,
      units_answered: 2,
    },
  ]);
  const params = toPromptParams(brands.prompt);
  expect((await results.call(listPromptResults, { params, query: 'country=DE' })).data).toMatchObject([
    { scan_id: null, cited: true, finalized_at: '2026-11-21T12:00:00.000000Z', answer_text: 'Acme leads.' },
  ]);
  const published = await results.query<{ type: string }>('select distinct type from outbox');
  expect(published).toEqual([{ type: 'results.brand.changed.v1' }]);
});

test('201: an import moves the token once for each batch, and once for the scores', async () => {
  const version = await readTokenVersion(results, brands.own);
  const lines = Array.from({ length: 1_201 }, () => line({ run_date: '2026-11-01' }));
  expect((await importUnits(results, lines)).data).toEqual({
    imported: 1_201,
    duplicates: 0,
    skipped: 0,
    rejected: [],
  });
  expect(await readTokenVersion(results, brands.own)).toBe(version + 4);
  expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
});

test('201: lines whose days are deleted during the import are refused', async () => {
  const { own, prompt } = await addBrandWithCompetitor(results);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const response = importUnits(results, readable);
  const send = (units: object[]) => writer.write(Buffer.from(`${toNdjson(units)}\n`));
  // A complete batch, which is stored before the body ends.
  await send(Array.from({ length: 500 }, () => importLine(prompt, { run_date: '2026-11-01' })));
  const stored = 'select 1 from unscored_days where brand_id = $1';
  await eventually(async () => expect(await results.query(stored, [own.id])).toHaveLength(1));
  await results.query(`update brand_tokens set units_from = '2026-10-01' where brand_id = $1`, [own.id]);
  const days = ['2026-09-30', '2026-11-02', '2027-01-01'];
  await send(days.map((run_date) => importLine(prompt, { run_date })));
  await writer.close();
  expect((await response).data).toMatchObject({
    imported: 501,
    duplicates: 0,
    rejected: [
      { line: 501, error: expect.stringContaining('deleted') },
      { line: 503, error: expect.stringContaining('after today') },
    ],
  });
});

test('201: an import does not score the days that another brand left', async () => {
  const other = await addBrandWithCompetitor(results);
  const left = [other.own.id, '2026-06-01'];
  await results.query('insert into unscored_days values ($1, $2)', left);
  await importUnits(results, [line({ run_date: '2026-06-01' })]);
  expect(await results.query('delete from unscored_days returning brand_id')).toEqual([
    { brand_id: other.own.id },
  ]);
});

test('201: an import whose day another import scored reports the newest token', async () => {
  const run_date = '2026-06-05';
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const slow = importUnits(results, readable);
  // A complete batch, which is stored before the body ends.
  const batch = Array.from({ length: 500 }, () => line({ run_date }));
  await writer.write(Buffer.from(`${toNdjson(batch)}\n`));
  const unscored = 'select 1 from unscored_days where run_date = $1';
  await eventually(async () => expect(await results.query(unscored, [run_date])).toHaveLength(1));
  const other = await importUnits(results, [line({ run_date: '2026-06-06' })]);
  expect(other.data).toMatchObject({ imported: 1 });
  expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
  const scored = await readLastSeq();
  await writer.close();
  const response = await slow;
  expect(response.data).toEqual({ imported: 500, duplicates: 0, skipped: 0, rejected: [] });
  expect(readPublishedHeader(response)[0]!.seq).toBeGreaterThanOrEqual(scored);
});

test('201: a source is stored as in scans: no tracking parameters, one source for a page, cited if any link is cited', async () => {
  const run_date = '2026-10-05';
  const sources = [
    { url: 'https://Shop.Rival.com/anvils/?utm_source=chatgpt.com&size=2#top', cited: false },
    { url: 'https://shop.rival.com/anvils?size=2', title: 'Anvils' },
    { url: 'http://192.0.2.7/list?fbclid=1' },
  ];
  expect((await importUnits(results, [line({ run_date, sources })])).data).toMatchObject({ imported: 1 });
  const params = toPromptParams(brands.prompt);
  const { data } = await results.call(listPromptResults, {
    params,
    query: `from=${run_date}&to=${run_date}`,
  });
  expect(data).toHaveLength(1);
  expect(data[0]!.sources).toHaveLength(2);
  expect(data[0]!.sources).toMatchObject([
    {
      position: 1,
      url: 'https://shop.rival.com/anvils?size=2',
      domain: 'rival.com',
      title: 'Anvils',
      cited: true,
    },
    { position: 2, url: 'http://192.0.2.7/list', domain: '192.0.2.7', title: null, cited: true },
  ]);
});

test('201: results show where an imported answer came from', async () => {
  const run_date = '2026-10-06';
  const provenance = {
    surface: 'app',
    search_used: true,
    search_queries: ['best anvil'],
    localization: 'native',
    collector: 'panel-eu',
    sources_unresolved: 99,
  };
  const goto = 'https://www.google.com/goto?url=CAES';
  const sources = [
    { url: `${goto}1` },
    { url: `${goto}2`, cited: false },
    { url: 'https://www.google.com/url?q=https://%00' },
    { url: 'https://www.google.com/url?q=https://rival.com/x' },
  ];
  const lines = [
    line({ run_date, ...provenance, sources }),
    line({ run_date: '2026-10-07', surface: 'api', collector: null }),
    line({ run_date, surface: 'web' }),
    line({ run_date, collector: '' }),
    line({ run_date, sources_unresolved: 101 }),
    line({ run_date, search_queries: Array.from({ length: 21 }, () => 'q') }),
  ];
  const { data } = await importUnits(results, lines);
  expect(data.rejected.map((entry) => entry.line)).toEqual([3, 4, 5, 6]);
  const query = `from=${run_date}&to=2026-10-07`;
  const shown = await results.call(listPromptResults, { params: toPromptParams(brands.prompt), query });
  expect(shown.data).toMatchObject([
    { surface: 'api', search_used: null, localization: 'none', collector: null, sources_unresolved: 0 },
    {
      ...provenance,
      sources: [{ url: 'https://rival.com/x', domain: 'rival.com' }],
      sources_unresolved: 100,
    },
  ]);
});

test('401 for a caller that is not the operator', async () => {
  const response = await results.call(operatorImportResults, { caller: testCaller(), body: '' });
  expect(response.status).toBe(401);
});
