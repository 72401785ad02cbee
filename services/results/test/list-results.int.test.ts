import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listBrandSummaries, listPromptResults, listShareOfVoice, listSources } from '@bv/contract';
import { brandData, jobData, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  addToCatalog,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';

let results: Results;
let brands: Awaited<ReturnType<typeof addBrandWithCompetitor>>;
const jobId = randomUUID();

const source = (position: number, url: string, cited = true) => ({
  position,
  url,
  domain: new URL(url).hostname,
  title: `T${position}`,
  cited,
});

beforeAll(async () => {
  results = await startResults();
  brands = await addBrandWithCompetitor(results, 'rival.co.uk');
  const { own, competitor, prompt } = brands;
  const found = (ownPosition: number | null, competitorPosition: number | null) => [
    { ...own, position: ownPosition, sentiment: 70, cited: ownPosition !== null },
    { ...competitor, position: competitorPosition },
  ];
  const units = [
    unitData(prompt, found(2, 1), {
      job_id: jobId,
      answer_truncated: true,
      sentiment_method: 'llm',
      sources: [
        source(1, 'https://www.acme.com/a'),
        source(2, 'https://shop.acme.com/b'),
        source(3, 'https://www.reddit.com/r/anvils'),
        source(4, 'https://retrieved-only.net/x', false),
      ],
    }),
    unitData(prompt, found(null, 1), {
      job_id: jobId,
      country: 'DE',
      platform: 'claude',
      sources: [source(1, 'https://rival.co.uk/'), source(2, 'https://www.reddit.com/r/anvils')],
    }),
    unitData(prompt, found(null, null), {
      job_id: jobId,
      platform: 'ai_overviews',
      outcome: 'no_answer',
      answer_text: null,
      model: null,
    }),
  ];
  for (const unit of units) await results.emitUnit(unit);
  await results.emitJob(jobData(own, jobId, { units: { total: 3, answered: 2, no_answer: 1, failed: 0 } }));
  await waitUntilScored(results, jobId);
});
afterAll(() => results.stop());

const readResults = (query: string) =>
  results.call(listPromptResults, { params: toPromptParams(brands.prompt), query });
const readSources = (query = '') => results.call(listSources, { params: toBrandParams(brands.own), query });
const readShares = (query: string) =>
  results.call(listShareOfVoice, { params: toBrandParams(brands.own), query });
const readSummaries = (orgId: string) => results.call(listBrandSummaries, { params: { orgId } });

describe('prompt results', () => {
  test('200: answer, brands in order, sources with registrable domain and category; no_answer has a row', async () => {
    const { data } = await readResults('platform=chatgpt');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      scan_id: jobId,
      surface: 'api',
      outcome: 'answered',
      mentioned: true,
      position: 2,
      sentiment: 70,
      sentiment_method: 'llm',
      cited: true,
      answer_truncated: true,
      model: 'm-1',
      search_queries: ['anvils'],
      brands: [
        { brand_id: brands.own.id, position: 2, is_own: true },
        { brand_id: brands.competitor.id, position: 1, name: 'Rival' },
      ],
      sources: [
        { position: 1, domain: 'acme.com', category: 'own', cited: true },
        { position: 2, domain: 'acme.com', category: 'own' },
        { position: 3, domain: 'reddit.com', category: 'forum' },
        { position: 4, domain: 'retrieved-only.net', category: 'other', cited: false },
      ],
    });
    expect((await readResults('platform=ai_overviews')).data).toMatchObject([
      {
        surface: 'serp',
        outcome: 'no_answer',
        mentioned: false,
        answer_text: null,
        sentiment_method: null,
        position: null,
      },
    ]);
  });
});

describe('sources', () => {
  test('200: cited links only, by registrable domain, most cited first, with shares', async () => {
    const { data } = await readSources();
    expect(data).toMatchObject([
      {
        domain: 'acme.com',
        category: 'own',
        is_own: true,
        citations: 2,
        units_cited: 1,
        pages: 2,
        citation_share: 40,
        citation_rate: 50,
        units_answered: 2,
        mentioned_rate: 100,
        countries: ['US'],
        platforms: [{ platform: 'chatgpt', citations: 2 }],
      },
      {
        domain: 'reddit.com',
        category: 'forum',
        citations: 2,
        units_cited: 2,
        pages: 1,
        citation_rate: 100,
        mentioned_rate: 50,
        countries: ['DE', 'US'],
      },
      { domain: 'rival.co.uk', category: 'competitor', competitor_id: brands.competitor.id, citations: 1 },
    ]);
    expect(data[1]?.top_pages).toEqual([
      { url: 'https://www.reddit.com/r/anvils', title: 'T3', citations: 2 },
    ]);
    const german = await readSources('country=de');
    expect(german.data.map((row) => [row.domain, row.units_answered])).toEqual([
      ['reddit.com', 1],
      ['rival.co.uk', 1],
    ]);
  });

  test('400 window_too_wide above 90 days', async () => {
    expect((await readSources('from=2026-08-22')).error).toMatchObject({
      code: 'validation_error',
      details: [{ code: 'window_too_wide' }],
    });
    expect((await readSources('from=2026-08-23')).status).toBe(200);
  });
});

describe('scores and share of voice', () => {
  test('200: share of voice by platform and country, page by page', async () => {
    const first = await readShares('platform=chatgpt&country=US&limit=1');
    expect(first.data).toMatchObject([{ mentions: 1, total_mentions: 2, rank: 1, share_of_voice: 50 }]);
    const next = await readShares(`limit=1&cursor=${first.pagination.next_cursor}`);
    expect(next.body).toMatchObject({
      data: [{ rank: 1, share_of_voice: 50 }],
      pagination: { has_more: false, next_cursor: null },
    });
    expect(new Set([...first.data, ...next.data].map(({ brand_id }) => brand_id))).toEqual(
      new Set([brands.own.id, brands.competitor.id]),
    );
  });
});

describe('brand summaries', () => {
  test('200: latest figures, last scan and the change token; no archived brands and no competitors', async () => {
    const { own } = brands;
    const archived = brandData({ org_id: own.org_id, sunset_at: '2026-11-01T00:00:00Z' });
    const running = jobData(own, randomUUID(), {
      status: 'running',
      completed_at: null,
      queued_at: '2026-11-21T09:00:00Z',
    });
    await waitUntilHandled(results, await results.emitBrand(archived), await results.emitJob(running, 1));
    const { data } = await readSummaries(own.org_id);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      id: own.id,
      name: 'Acme',
      score: 45.45,
      score_date: '2026-11-20',
      share_of_voice: 33.33,
      active_prompts: 1,
      last_scan_status: 'completed',
      scan_in_progress: true,
      changed_at: expect.any(String),
    });
  });

  test('200: a brand that was just created is in the list; without the catalog, the list has the projected brands', async () => {
    const projected = brandData();
    const unpublished = brandData({ name: 'Unpublished', org_id: projected.org_id });
    await addToCatalog(results, { brands: [projected] });
    const listNames = async () =>
      (await readSummaries(projected.org_id)).data.map(({ name }) => name).toSorted();
    expect(await listNames()).toEqual(['Acme']);
    const stopCatalog = await results.serveCatalog([unpublished, projected]);
    expect(await listNames()).toEqual(['Acme', 'Unpublished']);
    await stopCatalog();
  });
});
