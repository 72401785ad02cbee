import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { retryIfStalled } from '@bv/testkit';
import { send, sendRaw, withinMinute } from './client.ts';
import { expectRefusal, getWindow, minuteEnd, noWindow } from './expect-refusal.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000' } });
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

describe('400', () => {
  test('body_not_allowed: GET and HEAD that declare a body, also outside /v1', async () => {
    const { orgId, key } = await gateway.customer();
    const path = `/v1/orgs/${orgId}/brands`;
    expectRefusal(await gateway.call({ path, key, body: {} }), 400, 'body_not_allowed');
    const chunked = await gateway.call({ path, key, headers: { 'transfer-encoding': 'chunked' } });
    expectRefusal(chunked, 400, 'body_not_allowed');
    expect(getWindow(chunked).limit).toBe('100000');
    expect((await gateway.call({ method: 'HEAD', path, key, body: {} })).status).toBe(400);
    expectRefusal(await gateway.call({ path: '/openapi.json', body: {} }), 400, 'body_not_allowed');
    // Zero bytes declared are no body.
    expect((await gateway.call({ path, key, headers: { 'content-length': '0' } })).status).toBe(200);
  });

  test('validation_error: path ids, each by its name', async () => {
    const { orgId, key } = await gateway.customer();
    const response = await gateway.call({ path: `/v1/orgs/${orgId.slice(1)}/brands/7`, key });
    expectRefusal(response, 400, 'validation_error');
    expect(response.body.error.details.map(({ path, code }) => [path, code])).toEqual([
      ['orgId', 'invalid_format'],
      ['brandId', 'invalid_format'],
    ]);
  });

  test('validation_error: Idempotency-Key of 0 or 256 characters; 255 of any script pass', async () => {
    const { orgId, key } = await gateway.customer();
    const post = (header: string) =>
      gateway.call({
        method: 'POST',
        path: `/v1/orgs/${orgId}/properties`,
        key,
        body: {},
        headers: { 'idempotency-key': header },
      });
    for (const header of ['', 'k'.repeat(256)]) {
      const response = await post(header);
      expectRefusal(response, 400, 'validation_error');
      expect(response.body.error.details).toEqual([
        { path: 'Idempotency-Key', code: 'invalid_header', message: expect.any(String) },
      ]);
    }
    expect((await post('k'.repeat(255))).status).toBe(200);
    expect((await post(Buffer.from('é'.repeat(255)).toString('latin1'))).status).toBe(200);
    const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
    expect((await post(utf8('𝄞'.repeat(255)))).status).toBe(200);
    expectRefusal(await post(utf8('𝄞'.repeat(256))), 400, 'validation_error');
    // A byte order mark is a character like any other.
    expect((await post(utf8('\u{feff}'))).status).toBe(200);
    expectRefusal(await post(utf8(`\u{feff}${'k'.repeat(255)}`)), 400, 'validation_error');
  });

  test('invalid_request: what the HTTP parser refuses gets the envelope and a request id', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\n\r\n',
    ]) {
      const raw = await sendRaw(gateway.port, bytes);
      expect(raw).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      const body = JSON.parse(raw.slice(raw.indexOf('\r\n\r\n')));
      expect(body.error.code).toBe('invalid_request');
      expect(raw).toContain(`X-Request-Id: ${body.request_id}`);
    }
    const noHost = await sendRaw(gateway.port, 'GET /v1/orgs HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(noHost).toMatch(/^HTTP\/1\.1 400 /);
    expect(noHost).toContain('invalid_request');
  });
});

describe('404 not_found', () => {
  test('unknown paths and methods under /v1, counted; organisations without access', async () => {
    const { orgId, key } = await gateway.customer();
    const other = await gateway.createOrg();
    const calls = [
      { path: '/v1' },
      { path: '/v1/' },
      { path: '/v1/orgs/' },
      { path: '/v1//orgs' },
      { path: `/v1/orgs/${orgId}/%ZZ` },
      { method: 'DELETE', path: `/v1/orgs/${orgId}/brands` },
      { method: 'OPTIONS', path: `/v1/orgs/${orgId}/brands` },
      { path: `/v1/orgs/${orgId}/brands/summary/mentions/x` },
      { path: `/v1/orgs/${other}/brands` },
      { path: `/v1/orgs/${randomUUID()}` },
    ];
    for (const call of calls) {
      const response = await gateway.call({ ...call, key });
      expectRefusal(response, 404, 'not_found');
      expect(getWindow(response).limit).toBe('100000');
    }
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('unknown methods: the message names the method and the known path', async () => {
    const { orgId, key } = await gateway.customer();
    const getMessage = async (method: string, path: string) => {
      const response = await gateway.call({ method, path, key });
      expectRefusal(response, 404, 'not_found');
      return response.body.error.message;
    };
    expect(await getMessage('DELETE', '/v1/orgs')).toBe('No such operation: DELETE /v1/orgs');
    expect(await getMessage('PUT', '/v1/orgs?limit=1')).toBe('No such operation: PUT /v1/orgs');
    const brands = `/v1/orgs/${orgId}/brands`;
    expect(await getMessage('DELETE', brands)).toBe(`No such operation: DELETE ${brands}`);
    expect(await getMessage('OPTIONS', brands)).toBe(`No such operation: OPTIONS ${brands}`);
    expect(await getMessage('PUT', `${brands}/summary`)).toContain('No such operation: PUT');
    const long = await getMessage('POST', `/v1/orgs/${'x'.repeat(5_000)}`);
    expect(long).toMatch(/^No such operation: POST \/v1\/orgs\/x+$/);
    expect(long.length).toBeLessThan(250);
    for (const path of ['/v1', '/v1/', '/v1/nowhere', '/v1/orgs/', '/v1//orgs']) {
      expect(await getMessage('DELETE', path)).toBe('Not found');
    }
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('outside /v1 unknown paths need no key', async () => {
    for (const path of ['/health', '/metrics', '/v1x', '/operator/v1/orgs']) {
      const response = await gateway.call({ path });
      expectRefusal(response, 404, 'not_found');
      expect(getWindow(response)).toEqual(noWindow);
    }
  });

  test('a partner can access linked organisations and no others', async () => {
    const { orgId, partnerId, key } = await gateway.reseller();
    const other = await gateway.createOrg();
    expect((await gateway.call({ path: `/v1/orgs/${orgId.toUpperCase()}/brands`, key })).status).toBe(200);
    expect(gateway.upstream.calls[0]?.url).toBe(`/v1/orgs/${orgId}/brands`);
    expectRefusal(await gateway.call({ path: `/v1/orgs/${other}/brands`, key }), 404, 'not_found');
    await gateway.operator('DELETE', `/partners/${partnerId}/links/${orgId}`);
    expectRefusal(await gateway.call({ path: `/v1/orgs/${orgId}/brands`, key }), 404, 'not_found');
  });
});

describe('405 cors_disabled', () => {
  test('a preflight needs no key and counts nowhere', async () => {
    for (const headers of [{ origin: 'https://a.example' }, { 'access-control-request-method': 'GET' }]) {
      const response = await gateway.call({ method: 'OPTIONS', path: '/v1/orgs', headers });
      expectRefusal(response, 405, 'cors_disabled');
      expect(getWindow(response)).toEqual(noWindow);
    }
    const { key } = await gateway.customer();
    const cross = await gateway.call({ path: '/v1/orgs', key, headers: { origin: 'https://a.example' } });
    expect(cross.status).toBe(200);
    expect(Object.keys(cross.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('429', () => {
  test('rate_limited: Retry-After counts to the end of the minute', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ per_minute: 2 });
    for (const remaining of ['1', '0']) {
      const response = await gateway.call({ path: '/v1/orgs', key });
      expect(getWindow(response)).toEqual({ limit: '2', remaining, reset: minuteEnd() });
    }
    const secondsLeft = (): number => Math.ceil(Number(minuteEnd()) - Date.now() / 1_000);
    const before = secondsLeft();
    const response = await gateway.call({ path: '/v1/orgs', key });
    expectRefusal(response, 429, 'rate_limited');
    expect(getWindow(response)).toEqual({ limit: '2', remaining: '0', reset: minuteEnd() });
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(before);
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(secondsLeft());
  });

  test('rate_limited of an address: its own figures, a valid key included, other addresses not', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer();
    const at = (address: string) => ({ 'x-forwarded-for': address });
    const attack = '2001:db8:1:2::1';
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const refused = await gateway.call({ path: '/v1/orgs', key: `guess${attempt}`, headers: at(attack) });
      expectRefusal(refused, 401, 'invalid_api_key');
    }
    const gated = await gateway.call({ path: '/v1/orgs', key, headers: at('2001:db8:1:2:ffff::9') });
    expectRefusal(gated, 429, 'rate_limited');
    expect(getWindow(gated)).toEqual({ limit: '20', remaining: '0', reset: minuteEnd() });
    expect(Number(gated.headers['retry-after'])).toBeGreaterThan(0);
    // Without a key there is nothing to refuse but the request itself.
    expectRefusal(await gateway.call({ path: '/v1/orgs', headers: at(attack) }), 401, 'invalid_api_key');
    expect((await gateway.call({ path: '/v1/orgs', key, headers: at('2001:db8:1:3::1') })).status).toBe(200);
    // Entries further left are set by the client.
    const forged = await gateway.call({ path: '/v1/orgs', key, headers: at(`9.9.9.9, ${attack}`) });
    expect(forged.status).toBe(429);
  });

  test('rate_limited of an address: of 100 parallel attempts 20 get 401; a request without a header is not counted', async () => {
    let address = 6;
    const once = async (): Promise<void> => {
      await withinMinute(15_000);
      address += 1;
      const headers = { 'x-forwarded-for': `198.51.100.${address}` };
      for (let attempt = 0; attempt < 30; attempt += 1) await gateway.call({ path: '/v1/orgs', headers });
      const responses = await Promise.all(
        Array.from({ length: 100 }, () => gateway.call({ path: '/v1/orgs', key: 'guess', headers })),
      );
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(20);
      expect(responses.filter(({ status }) => status === 429)).toHaveLength(80);
    };
    await retryIfStalled(once, { stallMs: 200 });
  });

  test('quota_exceeded: Retry-After counts to the month, the window headers to the minute', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer({ monthly_quota: 2, per_minute: 50 });
    await gateway.call({ path: '/v1/orgs', key });
    await gateway.call({ path: '/v1/orgs', key });
    const response = await gateway.call({ path: '/v1/orgs', key });
    expectRefusal(response, 429, 'quota_exceeded');
    const now = new Date();
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    const left = (month - now.getTime()) / 1_000;
    expect(Math.abs(Number(response.headers['retry-after']) - left)).toBeLessThanOrEqual(2);
    expect(getWindow(response)).toEqual({ limit: '50', remaining: expect.any(String), reset: minuteEnd() });
  });
});

describe('431 and 503', () => {
  test('headers_too_large', async () => {
    const raw = await sendRaw(gateway.port, `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 431 /);
    expect(raw).toContain('headers_too_large');
  });

  test('api_unavailable: a dead service costs its own paths, without window headers', async () => {
    const { orgId, key } = await gateway.customer();
    await gateway.upstream.close();
    try {
      const response = await gateway.call({ path: `/v1/orgs/${orgId}/brands`, key });
      expectRefusal(response, 503, 'api_unavailable');
      expect(getWindow(response)).toEqual(noWindow);
      expect(response.headers['retry-after']).toBe('5');
      expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(200);
    } finally {
      await gateway.upstream.reopen();
    }
    expect((await gateway.call({ path: `/v1/orgs/${orgId}/brands`, key })).status).toBe(200);
  });

  test('api_unavailable while access cannot be read, without window headers', async () => {
    const { key } = await gateway.customer();
    const client = await gateway.sql.connect();
    await client.query('begin');
    await client.query('lock table api_keys in access exclusive mode');
    const response = await gateway.call({ path: '/v1/orgs', key });
    await client.query('rollback');
    client.release();
    expectRefusal(response, 503, 'api_unavailable');
    expect([getWindow(response), response.headers['retry-after']]).toEqual([noWindow, '5']);
    expect((await gateway.call({ path: '/v1/orgs', key })).status).toBe(200);
  });

  test('X-Request-Id is generated by the gateway; an inbound one is ignored', async () => {
    const mine = randomUUID();
    const response = await send(gateway.port, { path: '/v1/orgs', headers: { 'x-request-id': mine } });
    expect(response.headers['x-request-id']).not.toBe(mine);
  });
});
