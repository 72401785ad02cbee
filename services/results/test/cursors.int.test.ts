import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  listBrandSummaries,
  listMentions,
  listPromptResults,
  listScores,
  listShareOfVoice,
  listSources,
} from '@bv/contract';
import { brandData, importLine, type Prompt, promptData } from './events.ts';
import { addToCatalog, importUnits, type ListResponse, type Results, startResults } from './results.ts';

let results: Results;
const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
const { org_id } = competitor;
const competitors = [{ id: competitor.id, name: 'Rival', domain: 'rival.com' }];
const own = brandData({ org_id, competitors });
const other = brandData({ org_id, competitors, domain: 'b.com' });
const [prompt, second, foreign] = [promptData(own), promptData(own), promptData(other)];

/** A market of the maximum length: 256 characters of four bytes each. */
const maxLengthMarket = '𐐀'.repeat(256);
/** A host of the maximum length. Without a dot it is its own registrable domain. */
const maxLengthDomain = 'a'.repeat(253);

const invalid = { status: 400, code: 'invalid_cursor' };

type Query = Record<string, string>;
/** Reads a page of a list of the brand of a prompt, or of the prompt itself. */
type List = (query: Query, of?: Prompt) => Promise<ListResponse>;
const toParams = (of: Prompt) => ({ orgId: of.org_id, brandId: of.brand_id, promptId: of.id });
const lists: Record<string, List> = {
  results: (query, of = prompt) => results.call(listPromptResults, { params: toParams(of), query }),
  mentions: (query, of = prompt) => results.call(listMentions, { params: toParams(of), query }),
  sources: (query, of = prompt) => results.call(listSources, { params: toParams(of), query }),
  scores: (query, of = prompt) => results.call(listScores, { params: toParams(of), query }),
  'share of voice': (query, of = prompt) => results.call(listShareOfVoice, { params: toParams(of), query }),
  summaries: (query, of = prompt) => results.call(listBrandSummaries, { params: toParams(of), query }),
};

const toLines = (of: Prompt, country: string) =>
  ['2026-11-18', '2026-11-19', '2026-11-20'].map((run_date) =>
    importLine(of, {
      platform: 'ai_overviews',
      country,
      run_date,
      brands: [
        { brand_id: of.brand_id, position: 1, sentiment: 90 },
        { brand_id: competitor.id, position: 2, sentiment: 50 },
      ],
      sources: [{ url: `https://${maxLengthDomain}/` }, { url: 'https://zz.com/' }],
    }),
  );

beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  await addToCatalog(results, {
    brands: [competitor, own, other],
    prompts: [prompt, second, foreign],
  });
  const lines = [...toLines(prompt, maxLengthMarket), ...toLines(second, 'US'), ...toLines(foreign, 'US')];
  await importUnits(results, lines, 'allow_unknown_markets=true');
}, 60_000);
afterAll(() => results.stop());

/** The cursor of the second page. */
async function readCursor(list: List, query: Query = {}): Promise<string> {
  const { pagination } = await list({ limit: '1', ...query });
  expect(pagination).toEqual({ next_cursor: expect.any(String), has_more: true });
  return pagination.next_cursor!;
}

describe.each(Object.entries(lists))('a cursor of %s', (name, list) => {
  test('is valid for its own list only', async () => {
    const cursor = await readCursor(list);
    expect((await list({ cursor })).status).toBe(200);
    const others = Object.entries(lists).filter(([another]) => another !== name);
    for (const [, another] of others) expect((await another({ cursor })).refusal).toEqual(invalid);
  });
});

const brandLists = Object.entries(lists).filter(([name]) => name !== 'summaries');

test.each(brandLists)('a cursor of %s is invalid for the list of another brand', async (_name, list) => {
  expect((await list({ cursor: await readCursor(list) }, foreign)).refusal).toEqual(invalid);
});

test('a cursor of results is invalid for another prompt of the brand', async () => {
  const cursor = await readCursor(lists['results']!);
  expect((await lists['results']!({ cursor }, second)).refusal).toEqual(invalid);
});

/** All filters of a list. Scores have no platform. */
const filtersByList = (name: string): Query => ({
  country: maxLengthMarket,
  ...(name === 'scores' ? {} : { platform: 'ai_overviews' }),
});
const window = { from: '2026-11-18', to: '2026-11-20' };

describe.each(brandLists)('pagination of %s', (name, list) => {
  const filters = filtersByList(name);

  test('has cursors of at most 2048 characters, with a market and a domain of the maximum length', async () => {
    const all = await list({ ...filters, ...window });
    expect(all.data.length).toBeGreaterThan(1);
    const rows: unknown[] = [];
    let query: Query = { ...filters, ...window };
    for (;;) {
      const { data, pagination } = await list({ limit: '1', ...query });
      rows.push(...data);
      if (pagination.next_cursor === null) break;
      expect(pagination.next_cursor.length).toBeLessThanOrEqual(2048);
      query = { cursor: pagination.next_cursor };
    }
    expect(rows).toEqual(all.data);
  });

  test('continues with its filters and its window only', async () => {
    const cursor = await readCursor(list, { ...filters, ...window });
    expect((await list({ cursor, ...filters, ...window })).status).toBe(200);
    const filterChanged = (parameter: string) => ({
      ...invalid,
      details: { reason: 'filter_changed', parameter },
    });
    const windowChanged = { ...invalid, details: { reason: 'window_changed' } };
    for (const parameter of Object.keys(filters)) {
      const changed = { country: 'US', platform: 'gemini' }[parameter]!;
      expect((await list({ cursor, [parameter]: changed })).refusal).toEqual(filterChanged(parameter));
    }
    expect((await list({ cursor, from: '2026-11-17' })).refusal).toEqual(windowChanged);
    expect((await list({ cursor, to: '2026-11-19' })).refusal).toEqual(windowChanged);
  });
});

test.each(brandLists.filter(([name]) => name !== 'scores'))(
  'a cursor of %s without filters rejects a filter',
  async (_name, list) => {
    const cursor = await readCursor(list, window);
    expect((await list({ cursor, platform: 'ai_overviews' })).refusal).toEqual({
      ...invalid,
      details: { reason: 'filter_changed', parameter: 'platform' },
    });
  },
);

test('a cursor of the scores of all markets belongs to another series than that of a country', async () => {
  const cursor = await readCursor(lists['scores']!, window);
  expect((await lists['scores']!({ cursor, country: 'US' })).refusal).toEqual(invalid);
});

test('a cursor of scores keeps the window of its rows, and rejects another one', async () => {
  const scores = lists['scores']!;
  const filterChanged = { ...invalid, details: { reason: 'filter_changed', parameter: 'window' } };
  const cursors = {
    none: await readCursor(scores, window),
    day: await readCursor(scores, { ...window, window: 'day' }),
    '7d': await readCursor(scores, { ...window, window: '7d' }),
  };
  for (const name of ['none', 'day'] as const) {
    const cursor = cursors[name];
    expect((await scores({ cursor })).data).toEqual((await scores({ cursor, window: 'day' })).data);
    expect((await scores({ cursor, window: '7d' })).refusal).toEqual(filterChanged);
  }
  const cursor = cursors['7d'];
  for (const query of [{ cursor }, { cursor, window: '7d' }]) {
    expect((await scores(query)).data).toMatchObject([{ window: '7d' }, { window: '7d' }]);
  }
  for (const other of ['day', '28d'])
    expect((await scores({ cursor, window: other })).refusal).toEqual(filterChanged);
  expect((await scores({ window: '14d' })).error).toMatchObject({
    details: [{ path: 'window', code: 'invalid_value' }],
  });
});

test('the most cited source may have a domain of the maximum length', async () => {
  const { data } = await results.call(listSources, { params: toParams(prompt) });
  expect(data[0]!.domain).toBe(maxLengthDomain);
});
