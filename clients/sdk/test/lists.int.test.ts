import { afterEach, expect, test } from '@jest/globals';
import { UnexpectedResponseError } from '@bv/sdk';
import { type FaultServer, page, refuse, respond, startFaultServer } from './fault-server.ts';
import { loadGuideReader } from './guides.ts';

const orgId = '5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11';
const brandId = '6c0a3a34-7f6e-4b53-9a53-3f3f0a6a0d12';
const stale = refuse(400, 'invalid_cursor', {}, { reason: 'stale' });
const input = { orgId, brandId } as const;

let server: FaultServer;
afterEach(() => server.close());

const queries = () => server.requests.map(({ url }) => Object.fromEntries(url.searchParams));

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

test('iteration over rows throws when the list is stale, since it would yield rows twice', async () => {
  server = await startFaultServer([page([1], 'c1'), stale, page([2], null)]);
  const rows: unknown[] = [];
  const read = async () => {
    for await (const row of server.client().listMentions(input)) rows.push(row);
  };
  await expect(read()).rejects.toMatchObject({ code: 'invalid_cursor' });
  expect(rows).toEqual([1]);
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
