import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  findBrandRpc,
  findPromptRpc,
  promptChanged,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
const org_id = randomUUID();
const competitor = brandData({ org_id, is_own: false, name: 'Rival', domain: 'rival.com' });
const competitors = [{ id: competitor.id, name: 'Rival', domain: 'rival.com', aliases: [] }];
const [own, other] = [
  brandData({ org_id, competitors }),
  brandData({ org_id, domain: 'b.com', competitors }),
];
const [prompt, second, foreign] = [promptData(own), promptData(own), promptData(other)];

/** A market of the maximum length: 256 characters of four bytes each. */
const maxLengthMarket = '𐐀'.repeat(256);
/** A host of the maximum length. Without a dot it is its own registrable domain. */
const maxLengthDomain = 'a'.repeat(253);

type Paths = Record<string, string>;
const toListPaths = (brandId: string, promptId: string): Paths => ({
  results: `/orgs/${org_id}/prompts/${promptId}/results`,
  mentions: `/orgs/${org_id}/brands/${brandId}/mentions`,
  sources: `/orgs/${org_id}/brands/${brandId}/sources`,
  scores: `/orgs/${org_id}/brands/${brandId}/scores`,
  'share of voice': `/orgs/${org_id}/brands/${brandId}/share-of-voice`,
  summaries: `/orgs/${org_id}/brands/summary`,
});
const lists = toListPaths(own.id, prompt.id);

const toLines = (brand: { id: string }, { id }: { id: string }, country: string) =>
  ['2026-11-18', '2026-11-19', '2026-11-20'].map((run_date) =>
    JSON.stringify({
      brand_id: brand.id,
      prompt_id: id,
      platform: 'ai_overviews',
      country,
      run_date,
      outcome: 'answered',
      brands: [
        { brand_id: brand.id, position: 1, sentiment: 90 },
        { brand_id: competitor.id, position: 2, sentiment: 50 },
      ],
      sources: [{ url: `https://${maxLengthDomain}/` }, { url: 'https://zz.com/' }],
    }),
  );

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  servers = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  servers.push(serveMarkets(results));
  for (const brand of [competitor, own, other]) await results.emit(brandChanged, brand.id, 1, brand);
  for (const each of [prompt, second, foreign]) await results.emit(promptChanged, each.id, 1, each);
  await eventually(async () => {
    expect(await results.query('select 1 from brands')).toHaveLength(3);
    expect(await results.query('select 1 from prompts')).toHaveLength(3);
  });
  const imported = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import?allow_unknown_markets=true',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body: [
      ...toLines(own, prompt, maxLengthMarket),
      ...toLines(own, second, 'US'),
      ...toLines(other, foreign, 'US'),
    ].join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(imported.body.data).toMatchObject({ imported: 9, rejected: [] });
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

const read = (path: string, query: Record<string, string>) =>
  results.get(org_id, `${path}?${new URLSearchParams(query).toString()}`);

async function getCursor(path: string, query: Record<string, string> = {}): Promise<string> {
  const { status, body } = await read(path, { limit: '1', ...query });
  expect({ status, more: body.pagination?.has_more }).toEqual({ status: 200, more: true });
  return body.pagination.next_cursor;
}

async function expectInvalidCursor(path: string, query: Record<string, string>): Promise<void> {
  const { status, body } = await read(path, query);
  expect({ path, status, code: body.error?.code }).toEqual({ path, status: 400, code: 'invalid_cursor' });
  expect(body.error).not.toHaveProperty('details');
}

describe.each(Object.keys(lists))('a cursor of %s', (name) => {
  const path = lists[name] ?? '';

  test('is valid for its own list only', async () => {
    const cursor = await getCursor(path);
    expect((await read(path, { cursor })).status).toBe(200);
    for (const [another, otherPath] of Object.entries(lists)) {
      if (another !== name) await expectInvalidCursor(otherPath, { cursor });
    }
    const neighbour = toListPaths(other.id, foreign.id)[name] ?? '';
    if (neighbour !== path) await expectInvalidCursor(neighbour, { cursor });
    if (name === 'results')
      await expectInvalidCursor(toListPaths(own.id, second.id)['results'] ?? '', { cursor });
  });

  test('is invalid without details if any one character is changed', async () => {
    const cursor = await getCursor(path);
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor[at] === 'A' ? 'B' : 'A';
      await expectInvalidCursor(path, { cursor: cursor.slice(0, at) + changed + cursor.slice(at + 1) });
    }
  });
});

describe.each(Object.keys(lists).filter((name) => name !== 'summaries'))('pagination of %s', (name) => {
  const path = lists[name] ?? '';
  const filters = { country: maxLengthMarket, ...(name === 'scores' ? {} : { platform: 'ai_overviews' }) };
  const window = { from: '2026-11-18', to: '2026-11-20' };

  test('has cursors of at most 2048 characters, with a market and a domain of the maximum length', async () => {
    const allRows = (await read(path, { ...filters, ...window })).body.data;
    expect(allRows.length).toBeGreaterThan(1);
    const seen: unknown[] = [];
    let query: Record<string, string> = { ...filters, ...window };
    for (;;) {
      const { status, body } = await read(path, { limit: '1', ...query });
      expect(status).toBe(200);
      seen.push(...body.data);
      if (!body.pagination.has_more) break;
      expect(body.pagination.next_cursor.length).toBeLessThanOrEqual(2048);
      query = { cursor: body.pagination.next_cursor };
    }
    expect(seen).toEqual(allRows);
    if (name === 'sources') expect(allRows[0].domain).toBe(maxLengthDomain);
  });

  test('continues with its filters and its window only', async () => {
    const cursor = await getCursor(path, { ...filters, ...window });
    expect((await read(path, { cursor, ...filters, ...window })).status).toBe(200);
    const getReason = async (query: Record<string, string>) =>
      (await read(path, { cursor, ...query })).body.error?.details;
    expect(await getReason({ country: 'US' })).toEqual({ reason: 'filter_changed', parameter: 'country' });
    if (name !== 'scores') {
      expect(await getReason({ platform: 'gemini' })).toEqual({
        reason: 'filter_changed',
        parameter: 'platform',
      });
    }
    expect(await getReason({ from: '2026-11-17' })).toEqual({ reason: 'window_changed' });
    expect(await getReason({ to: '2026-11-19' })).toEqual({ reason: 'window_changed' });
    const unfiltered = await getCursor(path, window);
    if (name === 'scores') await expectInvalidCursor(path, { cursor: unfiltered, country: 'US' });
    else {
      const { body } = await read(path, { cursor: unfiltered, platform: 'ai_overviews' });
      expect(body.error.details).toEqual({ reason: 'filter_changed', parameter: 'platform' });
    }
  });
});
