import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  findBrandRpc,
  findPromptRpc,
  promptChanged,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import { publishedHeader, readPublished } from '@bv/http';
import { eventually, testCaller } from '@bv/testkit';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
const own = brandData({
  org_id: competitor.org_id,
  competitors: [{ id: competitor.id, name: 'Rival', domain: 'rival.com', aliases: [] }],
});
const prompt = promptData(own);

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  servers = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  servers.push(serveMarkets(results));
  await results.emit(brandChanged, competitor.id, 1, competitor);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  await eventually(async () => {
    expect(await results.query('select 1 from brands')).toHaveLength(2);
    expect(await results.query('select 1 from prompts')).toHaveLength(1);
  });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

const line = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  unit_id: randomUUID(),
  brand_id: own.id,
  prompt_id: prompt.id,
  platform: 'gemini',
  country: 'de',
  run_date: '2026-11-19',
  outcome: 'answered',
  answer_text: 'Acme leads.',
  brands: [{ brand_id: own.id, position: 1, sentiment: 90 }],
  sources: [{ url: 'https://www.acme.com/x' }],
  ...overrides,
});

type Line = Record<string, unknown> | string;
const toBody = (lines: Line[]): string =>
  lines.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');
const send = (body: string | ReadableStream) =>
  results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  });
const importLines = (lines: Line[]) => send(toBody(lines));
const findLastSeq = async (): Promise<number | undefined> => {
  const [row] = await results.query<{ seq: number }>(
    "select max(stream_seq)::int as seq from outbox where type = 'results.brand.changed.v1'",
  );
  return row?.seq;
};

test('201: valid lines are stored and scored, invalid lines are reported by number, repeats are duplicates', async () => {
  const good = [line(), line({ brands: [], country: 'US' })];
  const lines = [
    good[0] ?? '',
    '{not json',
    line({ brand_id: randomUUID() }),
    line({ platform: 'bard' }),
    '',
    line({ brands: [{ brand_id: randomUUID(), position: 1, sentiment: null }] }),
    line({ outcome: 'no_answer' }),
    line({ brand_id: competitor.id }),
    good[1] ?? '',
  ];
  const response = await importLines(lines);
  expect(response.status).toBe(201);
  expect(response.body.data).toMatchObject({ imported: 2, duplicates: 0 });
  expect(readPublished(response.headers.get(publishedHeader) ?? undefined)).toEqual([
    { subject: expect.stringContaining('results.brand.changed'), seq: await findLastSeq() },
  ]);
  expect(response.body.data.rejected.map((entry: { line: number }) => entry.line)).toEqual([
    2, 3, 4, 6, 7, 8,
  ]);
  expect((await importLines(lines)).body.data).toMatchObject({ imported: 0, duplicates: 2 });

  const scores = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/scores`);
  expect(scores.body.data).toMatchObject([
    {
      run_date: '2026-11-19',
      score: 50,
      mention_rate: 50,
      citation_rate: 100,
      sentiment: 90,
      units_answered: 2,
    },
  ]);
  const stored = await results.get(own.org_id, `/orgs/${own.org_id}/prompts/${prompt.id}/results?country=DE`);
  expect(stored.body.data).toMatchObject([
    { scan_id: null, cited: true, finalized_at: '2026-11-21T12:00:00.000000Z', answer_text: 'Acme leads.' },
  ]);
  expect(await results.query("select 1 from outbox where type = 'results.scan.scored.v1'")).toHaveLength(0);
  expect(
    await results.query("select 1 from outbox where type = 'results.brand.changed.v1'"),
  ).not.toHaveLength(0);
});

test('201: an import moves the token once for each batch, and once for the scores', async () => {
  const before = await results.query<{ version: number }>('select version from brand_tokens');
  const response = await importLines(Array.from({ length: 1_201 }, () => line({ run_date: '2026-11-01' })));
  expect(response.body.data).toEqual({ imported: 1_201, duplicates: 0, skipped: 0, rejected: [] });
  const after = await results.query<{ version: number }>('select version from brand_tokens');
  expect(Number(after[0]?.version)).toBe(Number(before[0]?.version) + 4);
  expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
});

test('201: an import whose day another import scored reports the newest token', async () => {
  const day = '2026-06-05';
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const slow = send(readable);
  // A complete batch, which is stored before the body ends.
  const batch = Array.from({ length: 500 }, () => line({ run_date: day }));
  await writer.write(Buffer.from(`${toBody(batch)}\n`));
  await eventually(async () => {
    expect(await results.query('select 1 from unscored_days where run_date = $1', [day])).toHaveLength(1);
  });
  expect((await importLines([line({ run_date: '2026-06-06' })])).body.data).toMatchObject({ imported: 1 });
  expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
  const scored = await findLastSeq();
  await writer.close();
  const response = await slow;
  expect(response.body.data).toEqual({ imported: 500, duplicates: 0, skipped: 0, rejected: [] });
  const [published] = readPublished(response.headers.get(publishedHeader) ?? undefined);
  expect(published?.seq).toBeGreaterThanOrEqual(scored ?? Number.NaN);
});

test('201: a source is stored as in scans: no tracking parameters, one source for a page, cited if any link is cited', async () => {
  const run_date = '2026-10-05';
  const sources = [
    { url: 'https://Shop.Rival.com/anvils/?utm_source=chatgpt.com&size=2#top', cited: false },
    { url: 'https://shop.rival.com/anvils?size=2', title: 'Anvils' },
    { url: 'http://192.0.2.7/list?fbclid=1' },
  ];
  expect((await importLines([line({ run_date, sources })])).body.data).toMatchObject({ imported: 1 });
  const path = `/orgs/${own.org_id}/prompts/${prompt.id}/results?from=${run_date}&to=${run_date}`;
  const { body } = await results.get(own.org_id, path);
  expect(body.data[0].sources).toMatchObject([
    {
      position: 1,
      url: 'https://shop.rival.com/anvils?size=2',
      domain: 'rival.com',
      title: 'Anvils',
      cited: true,
    },
    { position: 2, url: 'http://192.0.2.7/list', domain: '192.0.2.7', title: null, cited: true },
  ]);
  expect(body.data[0].sources).toHaveLength(2);
});

test('401 for a caller that is not the operator', async () => {
  const response = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller(),
    body: '',
  });
  expect(response.status).toBe(401);
});
