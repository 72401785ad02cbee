import { afterEach, describe, expect, test } from '@jest/globals';
import { UnexpectedResponseError } from '@bv/sdk';
import { type FaultServer, page, refuse, respond, startFaultServer } from './fault-server.ts';
import { loadGuideReader } from './guides.ts';

const orgId = '5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11';
const brandId = '6c0a3a34-7f6e-4b53-9a53-3f3f0a6a0d12';
const stale = refuse(400, 'invalid_cursor', {}, { reason: 'stale' });
const input = { orgId, brandId, platform: 'chatgpt', limit: 2 } as const;

let server: FaultServer;
afterEach(() => server.close());

const queries = () => server.requests.map(({ url }) => Object.fromEntries(url.searchParams));

describe('a list', () => {
  test('sends filters for the first page, then cursor and limit only; reads a page when it is needed', async () => {
    server = await startFaultServer([page([1, 2], 'c1'), page([3], null)]);
    const rows: unknown[] = [];
    for await (const row of server.client().listMentions(input)) {
      if (rows.length === 1) expect(server.requests).toHaveLength(1);
      rows.push(row);
    }
    expect(rows).toEqual([1, 2, 3]);
    expect(queries()).toEqual([
      { platform: 'chatgpt', limit: '2' },
      { cursor: 'c1', limit: '2' },
    ]);
    expect(server.requests[0]?.url.pathname).toBe(`/v1/orgs/${orgId}/brands/${brandId}/mentions`);
  });

  test('stops reading after a break; pages have cursors; a list continues from a cursor', async () => {
    server = await startFaultServer([page([1], 'c1'), page([2], null)]);
    const client = server.client();
    let cursor: string | null = null;
    for await (const one of client.listOrgs({ limit: 1 }).pages()) {
      expect(one).toMatchObject({ data: [1], hasMore: true, walk: 1 });
      cursor = one.nextCursor;
      break;
    }
    expect(await client.listOrgs({ limit: 1, cursor: cursor ?? '' }).all()).toEqual([2]);
    expect(queries()[1]).toEqual({ limit: '1', cursor: 'c1' });
  });

  test('scan_in_progress: retries the page after Retry-After, more often than maxRetries, until the deadline', async () => {
    const busy = refuse(409, 'scan_in_progress', { 'retry-after': '1' });
    const longBusy = refuse(409, 'scan_in_progress', { 'retry-after': '60' });
    server = await startFaultServer([page([1], 'c1'), busy, busy, page([2], null), longBusy]);
    const client = server.client({ retry: { maxRetries: 1 } });
    expect(await client.listMentions(input).all()).toEqual([1, 2]);
    expect(server.requests[2]!.atMs - server.requests[1]!.atMs).toBeGreaterThanOrEqual(990);
    expect(queries().slice(1)).toEqual([1, 2, 3].map(() => ({ cursor: 'c1', limit: '2' })));
    await expect(client.listMentions(input, { timeoutMs: 30_000 }).all()).rejects.toMatchObject({
      code: 'scan_in_progress',
    });
  });
});

describe('a stale cursor', () => {
  test('restart: reads from the first page with the filters and calls onRestart; all() returns one pass only', async () => {
    const steps = [page([1], 'c1'), stale, page([7], 'c2'), page([8], null)];
    server = await startFaultServer([...steps, ...steps]);
    const client = server.client();
    let restarts = 0;
    const options = { onStale: 'restart', onRestart: () => (restarts += 1) } as const;
    expect(await client.listMentions(input, options).all()).toEqual([7, 8]);
    expect(restarts).toBe(1);
    expect(queries()[2]).toEqual({ platform: 'chatgpt', limit: '2' });
    const rows: [number, unknown][] = [];
    for await (const one of client.listMentions(input, options).pages()) {
      rows.push(...one.data.map((row): [number, unknown] => [one.walk, row]));
    }
    expect(rows).toEqual([
      [1, 1],
      [2, 7],
      [2, 8],
    ]);
  });

  test('a list that began with a stale cursor restarts without it, at most maxRestarts times', async () => {
    server = await startFaultServer([stale, page([1], null), stale, stale, stale]);
    const client = server.client();
    expect(await client.listMentions({ ...input, cursor: 'old' }, { onStale: 'restart' }).all()).toEqual([1]);
    expect(queries()[1]).toEqual({ platform: 'chatgpt', limit: '2' });
    await expect(
      client.listMentions(input, { onStale: 'restart', maxRestarts: 2 }).all(),
    ).rejects.toMatchObject({ details: { reason: 'stale' } });
    expect(server.requests).toHaveLength(5);
  });
});

test.each([
  ['no pagination', respond(200, { data: [] })],
  ['data that is not a list', respond(200, { data: {}, pagination: { next_cursor: null, has_more: false } })],
  ['more without a cursor', respond(200, { data: [], pagination: { next_cursor: null, has_more: true } })],
  ['the cursor that was sent', page([2], 'c1')],
])('a page with %s throws instead of looping', async (_what, step) => {
  server = await startFaultServer([page([1], 'c1'), step]);
  await expect(server.client().listMentions(input).all()).rejects.toBeInstanceOf(UnexpectedResponseError);
  expect(server.requests).toHaveLength(2);
});

test('the pagination of the guide restarts when stale, retries, and throws for a spent quota', async () => {
  const busy = refuse(409, 'scan_in_progress', { 'retry-after': '0' });
  const unavailable = refuse(503, 'api_unavailable', { 'retry-after': '0' });
  const spent = refuse(429, 'quota_exceeded', { 'retry-after': '86400' });
  server = await startFaultServer([
    page([1], 'c1'),
    stale,
    busy,
    page([2], 'c2'),
    unavailable,
    page([3], null),
    spent,
  ]);
  const readAll = loadGuideReader();
  const url = `${server.baseUrl}/orgs/${orgId}/brands/${brandId}/mentions`;
  expect(await readAll(url, 'k')).toEqual([2, 3]);
  expect(queries().map(({ cursor }) => cursor)).toEqual([undefined, 'c1', undefined, undefined, 'c2', 'c2']);
  await expect(readAll(url, 'k')).rejects.toThrow('quota_exceeded');
});
