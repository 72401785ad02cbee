import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { invalidResponses, callService, eventually, registerStub } from '@bv/testkit';

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
const rateLimitHeaders = {
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '1',
  'x-ratelimit-reset': '1',
};
const refusal = (code: string, details?: unknown) => ({
  error: {
    code,
    message: 'No',
    doc_url: `/docs/errors#${code}`,
    ...(details === undefined ? {} : { details }),
  },
  request_id: id,
});

let server: Server;
afterEach(() => {
  server.close();
});

/** Starts an API stub that sends the same response to every request. Returns its URL. */
async function serveResponse(
  status: number,
  body: unknown,
  headers: object = rateLimitHeaders,
): Promise<string> {
  server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': id, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function findings(url: string, path = `/v1/orgs/${id}/brands`): Promise<string> {
  await (await fetch(url + path, { headers: { connection: 'close' } })).text();
  return (await invalidResponses()).join('\n');
}

describe('a valid response', () => {
  it.each([
    [200, page, rateLimitHeaders],
    [404, refusal('not_found'), rateLimitHeaders],
    [400, refusal('invalid_cursor', { reason: 'stale' }), rateLimitHeaders],
    [401, refusal('invalid_api_key'), {}],
    [429, refusal('rate_limited'), { ...rateLimitHeaders, 'retry-after': '7' }],
    [503, refusal('api_unavailable'), { 'retry-after': '5' }],
  ])('%i is accepted', async (status, body, headers) => {
    expect(await findings(await serveResponse(status, body, headers))).toBe('');
  });
});

describe('an invalid response is found:', () => {
  it.each([
    ['an unknown field', 200, { ...page, data: [{ ...brand, secret: 'x' }] }, rateLimitHeaders, 'secret'],
    [
      'a field of another type',
      200,
      { ...page, data: [{ ...brand, name: 1 }] },
      rateLimitHeaders,
      '/data/0/name',
    ],
    [
      'an invalid date',
      200,
      { ...page, data: [{ ...brand, created_at: 'now' }] },
      rateLimitHeaders,
      'created_at',
    ],
    ['no pagination', 200, { data: [] }, rateLimitHeaders, 'pagination'],
    ['a code of another operation', 404, refusal('brand_archived'), rateLimitHeaders, 'not_found'],
    ['details of another code', 400, refusal('invalid_cursor', { why: 1 }), rateLimitHeaders, 'details'],
    [
      'a status of another operation',
      422,
      refusal('prompt_cap_exceeded'),
      rateLimitHeaders,
      'no such status',
    ],
    ['no rate-limit headers', 200, page, {}, 'x-ratelimit-reset is missing'],
    [
      'rate-limit headers in a 401',
      401,
      refusal('invalid_api_key'),
      rateLimitHeaders,
      'x-ratelimit-limit is not documented',
    ],
    ['no Retry-After', 429, refusal('rate_limited'), rateLimitHeaders, 'retry-after is missing'],
    [
      'a limit that is not a number',
      200,
      page,
      { ...rateLimitHeaders, 'x-ratelimit-limit': 'many' },
      'x-ratelimit-limit',
    ],
    [
      'another request id',
      404,
      { ...refusal('not_found'), request_id: 'x' },
      rateLimitHeaders,
      'request_id is x',
    ],
    ['HTML', 200, '<p>', { ...rateLimitHeaders, 'content-type': 'text/html' }, 'not JSON'],
  ])('%s', async (_, status, body, headers, found) => {
    expect(await findings(await serveResponse(status, body, headers))).toContain(found);
  });

  it('success where there is no operation', async () => {
    const url = await serveResponse(200, page);
    expect(await findings(url, `/v1/orgs/${id}/nothing`)).toContain('no operation');
  });
});

describe('responses are validated for', () => {
  it('a service called like the gateway does, except for the rate-limit headers', async () => {
    const url = await serveResponse(200, { ...page, data: [{}] }, {});
    await callService(url, { path: `/v1/orgs/${id}/brands` });
    const [found, ...others] = await invalidResponses();
    expect(others).toEqual([]);
    expect(found).toContain('/data/0');
    expect(found).not.toContain('x-ratelimit');
  });

  it('node:http', async () => {
    const url = await serveResponse(200, { data: 'wrong' });
    const read = new Promise<string>((resolve) => {
      get(`${url}/v1/orgs`, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      });
    });
    expect(await read).toBe('{"data":"wrong"}');
    await eventually(async () => expect((await invalidResponses()).join()).toContain('pagination'));
  });

  it('no registered stub', async () => {
    const url = await serveResponse(200, 'anything');
    registerStub(url);
    expect(await findings(url)).toBe('');
  });
});
