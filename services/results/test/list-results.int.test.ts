import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  findBrandRpc,
  jobChanged,
  newestBrandsRpc,
  promptChanged,
  serveRpc,
  unitFinalised,
} from '@bv/events';
import { eventually } from '@bv/testkit';
import {
  brandData,
  type Harness,
  jobData,
  log,
  promptData,
  startResults,
  unitData,
  knows,
} from './harness.ts';

let results: Harness;
const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.co.uk' });
const own = brandData({
  org_id: competitor.org_id,
  competitors: [{ id: competitor.id, name: 'Rival', domain: 'rival.co.uk', aliases: [] }],
});
const prompt = promptData(own);
const jobId = randomUUID();
const orgPath = `/orgs/${own.org_id}`;

const source = (position: number, url: string, cited = true) => ({
  position,
  url,
  domain: new URL(url).hostname,
  title: `T${position}`,
  cited,
});

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  await results.emit(brandChanged, competitor.id, 1, competitor);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  const units = [
    unitData(
      prompt,
      [
        { ...own, position: 2, sentiment: 70, cited: true },
        { ...competitor, position: 1 },
      ],
      {
        job_id: jobId,
        answer_truncated: true,
        sources: [
          source(1, 'https://www.acme.com/a'),
          source(2, 'https://shop.acme.com/b'),
          source(3, 'https://www.reddit.com/r/anvils'),
          source(4, 'https://retrieved-only.net/x', false),
        ],
      },
    ),
    unitData(
      prompt,
      [
        { ...own, position: null },
        { ...competitor, position: 1 },
      ],
      {
        job_id: jobId,
        country: 'DE',
        platform: 'claude',
        sources: [source(1, 'https://rival.co.uk/'), source(2, 'https://www.reddit.com/r/anvils')],
      },
    ),
    unitData(
      prompt,
      [
        { ...own, position: null },
        { ...competitor, position: null },
      ],
      {
        job_id: jobId,
        platform: 'ai_overviews',
        outcome: 'no_answer',
        answer_text: null,
        model: null,
      },
    ),
  ];
  for (const unit of units) await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await results.emit(
    jobChanged,
    jobId,
    2,
    jobData(own, jobId, { units: { total: 3, answered: 2, no_answer: 1, failed: 0 } }),
  );
  await knows(results, { brands: [own, competitor], prompts: [prompt] });
  await eventually(async () => {
    expect(
      await results.query('select 1 from scans where job_id = $1 and scored_at is not null', [jobId]),
    ).toHaveLength(1);
  });
});
afterAll(() => results.stop());

describe('prompt results', () => {
  test('200: answer, brands in order, sources with registrable domain and category; no_answer has a row', async () => {
    const { body } = await results.get(
      own.org_id,
      `${orgPath}/prompts/${prompt.id}/results?platform=chatgpt`,
    );
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      scan_id: jobId,
      outcome: 'answered',
      mentioned: true,
      position: 2,
      sentiment: 70,
      cited: true,
      answer_truncated: true,
      model: 'm-1',
      search_queries: ['anvils'],
      brands: [
        { brand_id: own.id, position: 2, is_own: true },
        { brand_id: competitor.id, position: 1, name: 'Rival' },
      ],
      sources: [
        { position: 1, domain: 'acme.com', category: 'own', cited: true },
        { position: 2, domain: 'acme.com', category: 'own' },
        { position: 3, domain: 'reddit.com', category: 'forum' },
        { position: 4, domain: 'retrieved-only.net', category: 'other', cited: false },
      ],
    });
    const absent = await results.get(
      own.org_id,
      `${orgPath}/prompts/${prompt.id}/results?platform=ai_overviews`,
    );
    expect(absent.body.data).toMatchObject([
      { outcome: 'no_answer', mentioned: false, answer_text: null, answer_truncated: false, position: null },
    ]);
  });

  test('200: pages of one row return every row once', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await results.get(own.org_id, `${orgPath}/prompts/${prompt.id}/results?limit=1${cursor}`);
      seen.push(...page.body.data.map((row: { id: string }) => row.id));
      cursor = page.body.pagination.has_more ? `&cursor=${page.body.pagination.next_cursor}` : '';
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });
});

describe('sources', () => {
  test('200: cited links only, by registrable domain, most cited first, with shares', async () => {
    const { body } = await results.get(own.org_id, `${orgPath}/brands/${own.id}/sources`);
    expect(body.data).toMatchObject([
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
      { domain: 'rival.co.uk', category: 'competitor', competitor_id: competitor.id, citations: 1 },
    ]);
    expect(body.data[1].top_pages).toEqual([
      { url: 'https://www.reddit.com/r/anvils', title: 'T3', citations: 2 },
    ]);
    const german = await results.get(own.org_id, `${orgPath}/brands/${own.id}/sources?country=de`);
    expect(
      german.body.data.map((row: { domain: string; units_answered: number }) => [
        row.domain,
        row.units_answered,
      ]),
    ).toEqual([
      ['reddit.com', 1],
      ['rival.co.uk', 1],
    ]);
  });

  test('200: pages of one row; 400 window_too_wide above 90 days', async () => {
    const domains: string[] = [];
    let cursor = '';
    do {
      const page = await results.get(own.org_id, `${orgPath}/brands/${own.id}/sources?limit=1${cursor}`);
      domains.push(...page.body.data.map((row: { domain: string }) => row.domain));
      cursor = page.body.pagination.has_more ? `&cursor=${page.body.pagination.next_cursor}` : '';
    } while (cursor !== '');
    expect(domains).toEqual(['acme.com', 'reddit.com', 'rival.co.uk']);
    const wide = await results.get(own.org_id, `${orgPath}/brands/${own.id}/sources?from=2026-08-22`);
    expect(wide.body.error).toMatchObject({
      code: 'validation_error',
      details: [{ code: 'window_too_wide' }],
    });
    expect(
      (await results.get(own.org_id, `${orgPath}/brands/${own.id}/sources?from=2026-08-23`)).status,
    ).toBe(200);
  });
});

describe('scores and share of voice', () => {
  test('200: share of voice by platform and country, page by page', async () => {
    const { body } = await results.get(
      own.org_id,
      `${orgPath}/brands/${own.id}/share-of-voice?platform=chatgpt&country=US&limit=1`,
    );
    expect(body.data).toMatchObject([{ mentions: 1, total_mentions: 2, rank: 1, share_of_voice: 50 }]);
    const next = await results.get(
      own.org_id,
      `${orgPath}/brands/${own.id}/share-of-voice?limit=1&cursor=${body.pagination.next_cursor}`,
    );
    expect(next.body).toMatchObject({
      data: [{ rank: 1, share_of_voice: 50 }],
      pagination: { has_more: false, next_cursor: null },
    });
    expect(new Set([body.data[0].brand_id, next.body.data[0].brand_id])).toEqual(
      new Set([own.id, competitor.id]),
    );
  });

  test('200: a scores cursor keeps its series; 400 invalid_cursor if the series is changed', async () => {
    await results.db.query(
      `insert into scores select brand_id, country, run_date - 1, score, mention_rate, mention_rate_low, mention_rate_high,
      average_position, sentiment, citation_rate, share_of_voice, units_total, units_answered, units_mentioned, units_cited, position_sum,
      sentiment_sum, sentiment_count, platforms, method_version, computed_at from scores where brand_id = $1`,
      [own.id],
    );
    const path = `${orgPath}/brands/${own.id}/scores`;
    const all = (await results.get(own.org_id, `${path}?limit=1`)).body.pagination.next_cursor;
    const german = (await results.get(own.org_id, `${path}?limit=1&country=DE`)).body.pagination.next_cursor;
    expect((await results.get(own.org_id, `${path}?cursor=${all}`)).body.data).toMatchObject([
      { run_date: '2026-11-19', country: null },
    ]);
    expect((await results.get(own.org_id, `${path}?cursor=${german}`)).body.data).toMatchObject([
      { run_date: '2026-11-19', country: 'DE' },
    ]);
    const crossed = (await results.get(own.org_id, `${path}?cursor=${all}&country=DE`)).body.error;
    expect(crossed.code).toBe('invalid_cursor');
    expect(crossed).not.toHaveProperty('details');
    expect((await results.get(own.org_id, `${path}?cursor=${german}&country=US`)).body.error).toMatchObject({
      code: 'invalid_cursor',
      details: { reason: 'filter_changed', parameter: 'country' },
    });
  });
});

describe('brand summaries', () => {
  test('200: latest figures, last scan and the change token; no archived brands and no competitors', async () => {
    const archived = brandData({ org_id: own.org_id, sunset_at: '2026-11-01T00:00:00Z' });
    await results.emit(brandChanged, archived.id, 1, archived);
    const running = randomUUID();
    await results.emit(
      jobChanged,
      running,
      1,
      jobData(own, running, { status: 'running', completed_at: null, queued_at: '2026-11-21T09:00:00Z' }),
    );
    await eventually(async () => {
      const { body } = await results.get(own.org_id, `${orgPath}/brands/summary`);
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({
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
  });

  test('200: a brand that was just created is in the list; without the catalog, the list has the projected brands', async () => {
    const [projected, unpublished] = [brandData(), brandData({ name: 'Unpublished' })];
    unpublished.org_id = projected.org_id;
    await results.emit(brandChanged, projected.id, 1, projected);
    const listNames = async () => {
      const { status, body } = await results.get(
        projected.org_id,
        `/orgs/${projected.org_id}/brands/summary`,
      );
      expect(status).toBe(200);
      return (body.data as { name: string }[]).map(({ name }) => name).toSorted();
    };
    await eventually(async () => expect(await listNames()).toEqual(['Acme']));
    const serving = { queue: 'catalog', log };
    const servers = [
      serveRpc(
        results.connection,
        newestBrandsRpc,
        async ({ org_id }) => (org_id === projected.org_id ? [unpublished.id, projected.id] : []),
        serving,
      ),
      serveRpc(
        results.connection,
        findBrandRpc,
        async ({ id }) => (id === unpublished.id ? { version: 1, data: unpublished } : null),
        serving,
      ),
    ];
    await results.connection.connection.flush();
    try {
      // A read waits half a second for the catalog, then lists the projected brands.
      await eventually(async () => expect(await listNames()).toEqual(['Acme', 'Unpublished']));
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});
