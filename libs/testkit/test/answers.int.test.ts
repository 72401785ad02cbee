import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answersOutsideDocument, callService, eventually, standsIn } from '@bv/testkit';

const id = '5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11';
const brand = {
  id,
  name: 'Acme',
  domain: 'acme.com',
  is_own: true,
  external_ref: null,
  geography: 'global',
  sunset_at: null,
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
};
const page = { data: [brand], pagination: { next_cursor: null, has_more: false } };
const ofMinute = { 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1' };
const refusal = (code: string, details?: unknown) => ({
  error: { code, message: 'No', ...(details === undefined ? {} : { details }) },
  request_id: id,
});

let server: Server;
afterEach(() => {
  server.close();
});

/** An API of which one answer is made up. */
async function answering(status: number, body: unknown, headers: object = ofMinute): Promise<string> {
  server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': id, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function findings(url: string, path = `/v1/orgs/${id}/brands`): Promise<string> {
  await (await fetch(url + path, { headers: { connection: 'close' } })).text();
  return (await answersOutsideDocument()).join('\n');
}

describe('an answer as the document says', () => {
  it.each([
    [200, page, ofMinute],
    [404, refusal('not_found'), ofMinute],
    [400, refusal('invalid_cursor', { reason: 'stale' }), ofMinute],
    [401, refusal('invalid_api_key'), {}],
    [429, refusal('rate_limited'), { ...ofMinute, 'retry-after': '7' }],
    [503, refusal('api_unavailable'), { 'retry-after': '5' }],
  ])('%i is let through', async (status, body, headers) => {
    expect(await findings(await answering(status, body, headers))).toBe('');
  });
});

describe('an answer outside the document is found:', () => {
  it.each([
    ['a field too many', 200, { ...page, data: [{ ...brand, secret: 'x' }] }, ofMinute, 'secret'],
    ['a field of another type', 200, { ...page, data: [{ ...brand, name: 1 }] }, ofMinute, '/data/0/name'],
    [
      'a date that is none',
      200,
      { ...page, data: [{ ...brand, created_at: 'now' }] },
      ofMinute,
      'created_at',
    ],
    ['no pagination', 200, { data: [] }, ofMinute, 'pagination'],
    ['a code of another operation', 404, refusal('brand_archived'), ofMinute, 'not_found'],
    ['details of another code', 400, refusal('invalid_cursor', { why: 1 }), ofMinute, 'details'],
    ['a status of another operation', 422, refusal('prompt_cap_exceeded'), ofMinute, 'no such status'],
    ['a minute that is not told', 200, page, {}, 'x-ratelimit-reset is missing'],
    ['a minute told with a 401', 401, refusal('invalid_api_key'), ofMinute, 'x-ratelimit-limit is not for'],
    ['no Retry-After', 429, refusal('rate_limited'), ofMinute, 'retry-after is missing'],
    [
      'a limit that is no number',
      200,
      page,
      { ...ofMinute, 'x-ratelimit-limit': 'many' },
      'x-ratelimit-limit',
    ],
    ['another request id', 404, { ...refusal('not_found'), request_id: 'x' }, ofMinute, 'request_id is x'],
    ['HTML', 200, '<p>', { ...ofMinute, 'content-type': 'text/html' }, 'not JSON'],
  ])('%s', async (_, status, body, headers, found) => {
    expect(await findings(await answering(status, body, headers))).toContain(found);
  });

  it('success where there is no operation', async () => {
    const url = await answering(200, page);
    expect(await findings(url, `/v1/orgs/${id}/nothing`)).toContain('no operation');
  });
});

describe('whoever asks', () => {
  it('a service called as the gateway would owes no headers of the minute, but its data', async () => {
    const url = await answering(200, { ...page, data: [{}] }, {});
    await callService(url, { path: `/v1/orgs/${id}/brands` });
    const [found, ...others] = await answersOutsideDocument();
    expect(others).toEqual([]);
    expect(found).toContain('/data/0');
    expect(found).not.toContain('x-ratelimit');
  });

  it('node:http', async () => {
    const url = await answering(200, { data: 'wrong' });
    const read = new Promise<string>((resolve) => {
      get(`${url}/v1/orgs`, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      });
    });
    expect(await read).toBe('{"data":"wrong"}');
    await eventually(async () => expect((await answersOutsideDocument()).join()).toContain('pagination'));
  });

  it('a stand-in that says so may answer anything', async () => {
    const url = await answering(200, 'anything');
    standsIn(url);
    expect(await findings(url)).toBe('');
  });
});
