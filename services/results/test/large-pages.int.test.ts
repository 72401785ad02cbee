import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listPromptResults, listScores, listSources } from '@bv/contract';
import { importLine } from './events.ts';
import {
  addBrand,
  importUnits,
  type ListResponse,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
} from './results.ts';

let results: Results;
let brand: Awaited<ReturnType<typeof addBrand>>;
const days = 24;
const day = (index: number): string => `2026-10-${String(31 - index).padStart(2, '0')}`;

/** One answer a day: on the first one the largest that an import may store, then of about 300 kB. */
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
  brand = await addBrand(results);
  const source = (index: number, size: { url: number; title: number }) => ({
    url: `https://s${index % 130}.com/${index}/`.padEnd(size.url, 'x'),
    title: '漢'.repeat(size.title),
  });
  const lines = Array.from({ length: days }, (_, index) => {
    const [count, size] =
      index === 0 ? [500, { url: 4_096, title: 1_000 }] : [65, { url: 2_000, title: 800 }];
    return importLine(brand.prompt, {
      run_date: day(index),
      answer_text: '\u0001'.repeat(40_000),
      brands: [{ brand_id: brand.own.id, position: 1, sentiment: 90 }],
      sources: Array.from({ length: count }, (__, place) => source(index * 65 + place, size)),
    });
  });
  const { data } = await importUnits(results, lines);
  expect(data).toMatchObject({ imported: days });
  await results.query(
    `update scores set models = (
       select jsonb_agg(jsonb_build_object('platform', 'chatgpt', 'model', repeat('m', 195) || n, 'units', 1))
       from generate_series(1, 1000) n)`,
  );
}, 60_000);
afterAll(() => results.stop());

const window = 'limit=200&from=2026-10-01&to=2026-10-31';
const lists: Record<string, (query: string) => Promise<ListResponse>> = {
  'prompt results': (query) =>
    results.call(listPromptResults, { params: toPromptParams(brand.prompt), query }),
  sources: (query) => results.call(listSources, { params: toBrandParams(brand.own), query }),
  scores: (query) => results.call(listScores, { params: toBrandParams(brand.own), query }),
};

/** The pages up to the end of a list. */
async function readPages(read: (query: string) => Promise<ListResponse>): Promise<ListResponse[]> {
  const pages = [await read(window)];
  for (let cursor = pages[0]!.pagination.next_cursor; cursor !== null;) {
    const page = await read(`limit=200&cursor=${cursor}`);
    pages.push(page);
    cursor = page.pagination.next_cursor;
  }
  return pages;
}

test.each([
  ['prompt results', 'run_date', days],
  ['sources', 'domain', 130],
  ['scores', 'run_date', days],
])('pages of large %s end early, and together they have every row once', async (name, key, count) => {
  const pages = await readPages(lists[name]!);
  expect(pages.length).toBeGreaterThan(1);
  const rows = pages.flatMap(({ data }) => data as Record<string, unknown>[]);
  expect(new Set(rows.map((row) => row[key])).size).toBe(count);
  expect(rows).toHaveLength(count);
  for (const { data } of pages) {
    if (data.length > 1) expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(4_000_000);
  }
});
