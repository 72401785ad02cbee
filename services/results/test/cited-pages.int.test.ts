import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listPages, listSources } from '@bv/contract';
import { brandData, importLine, promptData } from './events.ts';
import { toQuery } from './check-windows.ts';
import { addToCatalog, importUnits, type Results, startResults, toBrandParams } from './results.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults();
  await results.serveCatalog();
  cited = await addCitations();
});
afterAll(() => results.stop());

const forum = 'https://forum.example.org/anvils';
const news = 'https://news.example.com/best';
const ownPage = 'https://acme.com/anvil';

/** Three prompts: one answer names only the competitor, one both brands, one none. */
async function addCitations() {
  const rival = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
  const { id, name, domain } = rival;
  const own = brandData({ org_id: rival.org_id, competitors: [{ id, name, domain }] });
  const prompts = [promptData(own), promptData(own), promptData(own)] as const;
  await addToCatalog(results, { brands: [rival, own], prompts });
  const line = (prompt: number, named: (typeof own)[], urls: string[], run_date: string) =>
    importLine(prompts[prompt as 0 | 1 | 2], {
      run_date,
      brands: named.map((brand, index) => ({ brand_id: brand.id, position: index + 1, sentiment: null })),
      sources: urls.map((url, index) => ({ url, cited: true, ...(index === 0 && { title: 'First' }) })),
    });
  await importUnits(results, [
    line(0, [rival], [forum, ownPage], '2026-11-18'),
    line(0, [rival], [forum], '2026-11-19'),
    line(1, [rival, own], [forum, news], '2026-11-19'),
    line(2, [], [news], '2026-11-20'),
  ]);
  return { own, rival, prompts };
}
let cited: Awaited<ReturnType<typeof addCitations>>;

const list = (query: Record<string, string> = {}) =>
  results.call(listPages, { params: toBrandParams(cited.own), query: toQuery(query) });

const show = async (query: Record<string, string>) =>
  (await list(query)).data.map(({ url, units_cited, units_gap }) => [url, units_cited, units_gap]);

test('pages are ordered by citing answers, with what the answers name', async () => {
  const { data } = await list();
  expect(data[0]).toEqual({
    url: forum,
    title: 'First',
    domain: 'example.org',
    category: 'other',
    is_own: false,
    competitor_id: null,
    citations: 3,
    units_cited: 3,
    units_mentioned: 1,
    units_with_competitor: 3,
    units_gap: 2,
    gap_rate: 66.67,
    prompts: 2,
    prompt_ids: [cited.prompts[0].id, cited.prompts[1].id],
    platforms: ['gemini'],
    countries: ['DE'],
    first_seen: '2026-11-18',
    last_seen: '2026-11-19',
  });
  expect(await show({})).toEqual([
    [forum, 3, 2],
    [news, 2, 0],
    [ownPage, 1, 1],
  ]);
});

test('gap leaves pages and domains of others where rivals are named instead', async () => {
  expect(await show({ gap: 'true' })).toEqual([[forum, 3, 2]]);
  expect(await show({ gap: 'false' })).toHaveLength(3);
  const params = toBrandParams(cited.own);
  const { data } = await results.call(listSources, { params, query: 'gap=true' });
  expect(data).toMatchObject([
    { domain: 'example.org', units_cited: 3, units_with_competitor: 3, units_gap: 2, gap_rate: 66.67 },
  ]);
});

test('a domain selects its registrable domain', async () => {
  expect(await show({ domain: 'https://www.forum.example.org/other' })).toEqual([[forum, 3, 2]]);
  expect(await show({ domain: 'never-cited.com' })).toEqual([]);
  // Sources are counted under a public suffix and an address too.
  expect(await show({ domain: 'www.gov.uk' })).toEqual([]);
  expect(await show({ domain: '192.0.2.1' })).toEqual([]);
  const { status, error } = await list({ domain: 'no host' });
  expect(status).toBe(400);
  expect(error).toMatchObject({ details: [{ path: 'domain', code: 'invalid_domain' }] });
});

test('pages continue behind the last page, and a changed filter is refused', async () => {
  const first = await list({ limit: '2' });
  expect(first.data.map(({ url }) => url)).toEqual([forum, news]);
  const cursor = first.pagination.next_cursor!;
  const second = await list({ cursor, limit: '2' });
  expect(second.data.map(({ url }) => url)).toEqual([ownPage]);
  const { error } = await list({ cursor, gap: 'true' });
  expect(error).toMatchObject({ details: { reason: 'filter_changed', parameter: 'gap' } });
});

test('pages with long addresses and equal counts continue too, with a gap and without', async () => {
  const { own, rival, prompts } = await addCitations();
  const long = ['a', 'b'].map(
    (name) => `https://long.example.net/${randomBytes(1_500).toString('hex')}${name}`,
  );
  await importUnits(results, [
    importLine(prompts[0], {
      run_date: '2026-11-18',
      brands: [{ brand_id: rival.id, position: 1, sentiment: null }],
      sources: long.map((url) => ({ url, cited: true })),
    }),
  ]);
  const params = toBrandParams(own);
  for (const gap of ['', 'gap=true&']) {
    const urls = [];
    let query = `${gap}domain=example.net&limit=1`;
    for (;;) {
      const { data, pagination } = await results.call(listPages, { params, query });
      urls.push(...data.map(({ url }) => url));
      if (pagination.next_cursor === null) break;
      query = `cursor=${pagination.next_cursor}&limit=1`;
    }
    expect(urls).toEqual(long.toSorted());
  }
});

test('a window of more than 90 days is refused', async () => {
  const { error } = await list({ from: '2026-01-01', to: '2026-11-20' });
  expect(error).toMatchObject({ details: [{ code: 'window_too_wide' }] });
});
