import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, isApiError, type RetryInfo, TimeoutError, UnexpectedResponseError } from '@bv/sdk';
import { disconnect, type FaultServer, hang, refuse, respond, startFaultServer } from './fault-server.ts';

const orgId = '5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11';
const brandId = '6c0a3a34-7f6e-4b53-9a53-3f3f0a6a0d12';
const prompt = { text: 'What is the best CRM?', countries: ['US'] };

let server: FaultServer;
afterEach(() => server.close());

describe('waits for Retry-After', () => {
  test('429 and 503, never earlier than the header allows', async () => {
    server = await startFaultServer([
      refuse(429, 'rate_limited', { 'retry-after': '1' }),
      refuse(503, 'api_unavailable', { 'retry-after': '1' }),
      refuse(503, 'rate_limit_unavailable', { 'retry-after': '0' }),
      respond(200, { data: { id: orgId } }),
    ]);
    const retries: RetryInfo[] = [];
    const client = server.client({ onRetry: (info) => retries.push(info) });
    expect(await client.getOrg({ orgId })).toEqual({ id: orgId });
    const [first, second, third] = server.requests.map(({ atMs }) => atMs);
    expect(second! - first!).toBeGreaterThanOrEqual(990);
    expect(third! - second!).toBeGreaterThanOrEqual(990);
    expect(retries.map(({ attempt, operation }) => [operation, attempt])).toEqual([
      ['getOrg', 1],
      ['getOrg', 2],
      ['getOrg', 3],
    ]);
  });

  test('a wait over the maximum, or past the deadline, throws at once with its seconds', async () => {
    const spent = refuse(429, 'quota_exceeded', { 'retry-after': '86400' });
    server = await startFaultServer([spent, refuse(429, 'rate_limited', { 'retry-after': '30' })]);
    const error = await server
      .client()
      .getOrg({ orgId })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'quota_exceeded', status: 429, retryAfterSeconds: 86_400 });
    const started = performance.now();
    await expect(server.client().getOrg({ orgId }, { timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    [401, 'invalid_api_key'],
    [403, 'partner_only'],
    [404, 'not_found'],
    [409, 'conflict'],
    [422, 'prompt_cap_exceeded'],
  ])('%i %s is never retried', async (status, code) => {
    server = await startFaultServer([refuse(status, code)]);
    await expect(server.client().createPrompt({ orgId, brandId }, prompt)).rejects.toMatchObject({
      status,
      code,
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('writes', () => {
  test('lost after the write was applied: retries with the same key and body, and reports the replay', async () => {
    server = await startFaultServer([
      disconnect,
      // More often than maxRetries.
      ...Array.from({ length: 7 }, () => refuse(409, 'idempotency_key_in_flight')),
      respond(201, { data: { id: 'p' } }, { 'idempotent-replayed': 'true' }),
    ]);
    const infos: boolean[] = [];
    await server.client().createPrompt({ orgId, brandId }, prompt, {
      onResponse: (info) => infos.push(info.idempotentReplayed),
    });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(server.requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(prompt)]));
    expect(infos).toEqual([...Array.from({ length: 7 }, () => false), true]);
  });

  test('every call has its own key; a passed key is kept; reads and writes without a body', async () => {
    const done = respond(200, { data: {} });
    server = await startFaultServer([done, done, done, done]);
    const client = server.client();
    await client.requestScan({ orgId, brandId });
    await client.requestScan({ orgId, brandId });
    await client.requestScan({ orgId, brandId }, { idempotencyKey: 'mine' });
    await client.getOrg({ orgId });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.slice(2)).toEqual(['mine', undefined]);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      body: '',
      headers: { 'content-length': '0' },
    });
    expect(server.requests[0]?.headers['user-agent']).toMatch(/^bv-sdk-js\//);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer bvk_live_test');
  });
});

describe('no response', () => {
  test('an attempt that hangs times out and is retried until the deadline', async () => {
    server = await startFaultServer([
      hang,
      respond(200, { data: { id: 1 } }),
      hang,
      hang,
      hang,
      hang,
      hang,
      hang,
    ]);
    expect(await server.client({ attemptTimeoutMs: 2_000 }).getOrg({ orgId })).toEqual({ id: 1 });
    const client = server.client({ attemptTimeoutMs: 100 });
    const started = performance.now();
    await expect(client.getOrg({ orgId }, { timeoutMs: 250 })).rejects.toBeInstanceOf(TimeoutError);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('an abort ends a hanging attempt and a wait with the reason of the caller', async () => {
    const reason = new Error('shutting down');
    let controller = new AbortController();
    const abort = () => controller.abort(reason);
    server = await startFaultServer([abort, refuse(503, 'api_unavailable', { 'retry-after': '30' })]);
    const client = server.client({ onRetry: abort });
    const call = () => client.getOrg({ orgId }, { signal: controller.signal });
    await expect(call()).rejects.toBe(reason);
    controller = new AbortController();
    await expect(call()).rejects.toBe(reason);
    await expect(call()).rejects.toBe(reason);
    expect(server.requests).toHaveLength(2);
  });
});

describe('responses of another server', () => {
  const html: Parameters<typeof startFaultServer>[0][number] = (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');

  test.each([
    ['a page of HTML', html],
    ['JSON without data', respond(200, { hello: 'world' })],
    ['a list', respond(200, [])],
    ['a 404 of something else', respond(404, { message: 'no route' })],
    ['a redirect', respond(301, {}, { location: 'http://127.0.0.1:1/' })],
  ])('%s: UnexpectedResponseError without a retry', async (_what, step) => {
    server = await startFaultServer([step]);
    const error = await server
      .client()
      .getOrg({ orgId })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain('base URL');
    expect(server.requests).toHaveLength(1);
  });

  test('codes and details are typed; an unknown code is kept', async () => {
    server = await startFaultServer([
      refuse(409, 'brand_exists', {}, { existing_id: brandId }),
      refuse(418, 'teapot'),
      refuse(400, 'validation_error', {}, [
        { path: 'domain', code: 'invalid_domain', message: 'Invalid domain' },
      ]),
    ]);
    const client = server.client();
    const create = () =>
      client.createProperty({ orgId }, { name: 'A', domain: 'a.com' }).catch((e: unknown) => e);
    const exists = await create();
    if (!isApiError(exists, 'brand_exists')) throw exists;
    expect(exists.details?.existing_id).toBe(brandId);
    const teapot = await create();
    expect(isApiError(teapot)).toBe(true);
    expect(teapot).toMatchObject({ code: 'teapot', status: 418 });
    expect((await create()) as Error).toMatchObject({
      message: 'validation_error: validation_error; domain: Invalid domain',
    });
  });
});
