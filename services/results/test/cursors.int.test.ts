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
const rival = brandData({ org_id, is_own: false, name: 'Rival', domain: 'rival.com' });
const competitors = [{ id: rival.id, name: 'Rival', domain: 'rival.com', aliases: [] }];
const [own, other] = [
  brandData({ org_id, competitors }),
  brandData({ org_id, domain: 'b.com', competitors }),
];
const [prompt, second, foreign] = [promptData(own), promptData(own), promptData(other)];

/** The longest market that can be stored: 256 characters of four bytes each. */
const longestMarket = '𐐀'.repeat(256);
/** The longest that is taken for a host; without a dot it is its own domain. */
const longestDomain = 'a'.repeat(253);

type Paths = Record<string, string>;
const listsOf = (brandId: string, promptId: string): Paths => ({
  results: `/orgs/${org_id}/prompts/${promptId}/results`,
  mentions: `/orgs/${org_id}/brands/${brandId}/mentions`,
  sources: `/orgs/${org_id}/brands/${brandId}/sources`,
  scores: `/orgs/${org_id}/brands/${brandId}/scores`,
  'share of voice': `/orgs/${org_id}/brands/${brandId}/share-of-voice`,
  summaries: `/orgs/${org_id}/brands/summary`,
});
const lists = listsOf(own.id, prompt.id);

const linesOf = (brand: { id: string }, { id }: { id: string }, country: string) =>
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
        { brand_id: rival.id, position: 2, sentiment: 50 },
      ],
      sources: [{ url: `https://${longestDomain}/` }, { url: 'https://zz.com/' }],
    }),
  );

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  servers = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  servers.push(serveMarkets(results));
  for (const brand of [rival, own, other]) await results.emit(brandChanged, brand.id, 1, brand);
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
      ...linesOf(own, prompt, longestMarket),
      ...linesOf(own, second, 'US'),
      ...linesOf(other, foreign, 'US'),
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

async function cursorOf(path: string, query: Record<string, string> = {}): Promise<string> {
  const { status, body } = await read(path, { limit: '1', ...query });
  expect({ status, more: body.pagination?.has_more }).toEqual({ status: 200, more: true });
  return body.pagination.next_cursor;
}

async function expectForeign(path: string, query: Record<string, string>): Promise<void> {
  const { status, body } = await read(path, query);
  expect({ path, status, code: body.error?.code }).toEqual({ path, status: 400, code: 'invalid_cursor' });
  expect(body.error).not.toHaveProperty('details');
}

describe.each(Object.keys(lists))('a cursor of %s', (name) => {
  const path = lists[name] ?? '';

  test('is a cursor of its own list alone', async () => {
    const cursor = await cursorOf(path);
    expect((await read(path, { cursor })).status).toBe(200);
    for (const [another, otherPath] of Object.entries(lists)) {
      if (another !== name) await expectForeign(otherPath, { cursor });
    }
    const neighbour = listsOf(other.id, foreign.id)[name] ?? '';
    if (neighbour !== path) await expectForeign(neighbour, { cursor });
    if (name === 'results') await expectForeign(listsOf(own.id, second.id)['results'] ?? '', { cursor });
  });

  test('with any one character changed is refused without details', async () => {
    const cursor = await cursorOf(path);
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor[at] === 'A' ? 'B' : 'A';
      await expectForeign(path, { cursor: cursor.slice(0, at) + changed + cursor.slice(at + 1) });
    }
  });
});

describe.each(Object.keys(lists).filter((name) => name !== 'summaries'))('a walk of %s', (name) => {
  const path = lists[name] ?? '';
  const filters = { country: longestMarket, ...(name === 'scores' ? {} : { platform: 'ai_overviews' }) };
  const window = { from: '2026-11-18', to: '2026-11-20' };

  test('through the longest market, past the longest domain, has cursors of at most 2048 characters', async () => {
    const whole = (await read(path, { ...filters, ...window })).body.data;
    expect(whole.length).toBeGreaterThan(1);
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
    expect(seen).toEqual(whole);
    if (name === 'sources') expect(whole[0].domain).toBe(longestDomain);
  });

  test('goes on with its filters and its window only', async () => {
    const cursor = await cursorOf(path, { ...filters, ...window });
    expect((await read(path, { cursor, ...filters, ...window })).status).toBe(200);
    const reasonOf = async (query: Record<string, string>) =>
      (await read(path, { cursor, ...query })).body.error?.details;
    expect(await reasonOf({ country: 'US' })).toEqual({ reason: 'filter_changed', parameter: 'country' });
    if (name !== 'scores') {
      expect(await reasonOf({ platform: 'gemini' })).toEqual({
        reason: 'filter_changed',
        parameter: 'platform',
      });
    }
    expect(await reasonOf({ from: '2026-11-17' })).toEqual({ reason: 'window_changed' });
    expect(await reasonOf({ to: '2026-11-19' })).toEqual({ reason: 'window_changed' });
    const unfiltered = await cursorOf(path, window);
    if (name === 'scores') await expectForeign(path, { cursor: unfiltered, country: 'US' });
    else {
      const { body } = await read(path, { cursor: unfiltered, platform: 'ai_overviews' });
      expect(body.error.details).toEqual({ reason: 'filter_changed', parameter: 'platform' });
    }
  });
});
