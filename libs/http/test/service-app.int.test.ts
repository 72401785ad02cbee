import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createServiceApp, readPublished } from '@bv/http';
import { createLogger, createMetrics } from '@bv/telemetry';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { asJson, createCaller, operator } from './start-app.ts';
import { getError, id, routes, thing, things, useThingsApp } from './things-app.ts';

const app = useThingsApp();

describe('the organisation of the path', () => {
  const path = (orgId: string) => `/owners/${orgId}/things/${id}`;

  test('is that of the caller, else the operation is not found', async () => {
    const caller = createCaller();
    expect((await app.call(`/v1${path(caller.orgId ?? '')}`, { caller })).status).toBe(200);
    for (const other of [createCaller(), createCaller({ orgId: null })]) {
      const { status, json } = await app.call(`/v1${path(caller.orgId ?? '')}`, { caller: other });
      expect([status, getError(json).code]).toEqual([404, 'not_found']);
    }
  });

  test('is any for an operator', async () => {
    const { status } = await app.call(`/operator/v1${path(randomUUID())}`, { caller: operator() });
    expect(status).toBe(200);
  });
});

describe('success', () => {
  test('200 item', async () => {
    const caller = createCaller();
    const { status, headers, json } = await app.call(`/v1/things/${id}`, { caller });
    expect({ status, json }).toEqual({ status: 200, json: { data: thing } });
    expect(headers.get('x-request-id')).toBe(caller.requestId);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });

  test('200 list with pagination and nothing else', async () => {
    const { json } = await app.call('/v1/things?limit=7');
    expect(json).toEqual({
      data: [{ id, name: '{"limit":7}' }],
      pagination: { next_cursor: null, has_more: false },
    });
  });

  test('a parameter is read after any number of others of any length', async () => {
    const { json } = await app.call(`/v1/things?${'a&'.repeat(2_000)}x=${'x'.repeat(12_000)}&limit=7`);
    expect(json).toMatchObject({ data: [{ id, name: '{"limit":7}' }] });
  });

  test('201 with the input of the handler: parsed params, body, caller, idempotency key', async () => {
    const caller = createCaller();
    const { headers, body } = asJson({ name: 'part', unknown: 1 });
    const { status, json } = await app.call(`/v1/things/${id.toUpperCase()}/parts`, {
      method: 'POST',
      caller,
      headers: { ...headers, 'idempotency-key': Buffer.from('clé 日本').toString('latin1') },
      body,
    });
    expect({ status, json }).toEqual({ status: 201, json: { data: { id, name: 'part' } } });
    expect(things.seen).toMatchObject({
      params: { thingId: id },
      query: {},
      body: { name: 'part' },
      caller,
      requestId: caller.requestId,
      idempotencyKey: 'clé 日本',
    });
    expect(things.seen?.body).not.toHaveProperty('unknown');
    expect(things.seen?.sentBody).toEqual({ name: 'part', unknown: 1 });
  });

  test('a literal path has precedence over a parameter, in any order of the table', async () => {
    expect((await app.call('/v1/things/summary')).json).toEqual({ data: { count: 1 } });
  });

  test('HEAD returns the response of GET without its body', async () => {
    const { status, headers, text: body } = await app.call(`/v1/things/${id}`, { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(headers.get('content-length')).toBe(String(JSON.stringify({ data: thing }).length));
  });

  test('a conditional request gets the complete response', async () => {
    const headers = { 'if-none-match': '*', 'cache-control': 'max-age=0' };
    expect((await app.call(`/v1/things/${id}`, { headers })).status).toBe(200);
  });

  test('an operation without a body ignores whatever is sent', async () => {
    const path = `/v1/things/${id}/touch`;
    const { status, json } = await app.call(path, { method: 'POST', body: '{"not json' });
    expect({ status, json }).toEqual({ status: 202, json: { data: { id, name: 'undefined' } } });
  });
});

describe('401 invalid_caller', () => {
  test.each([
    ['no caller', null],
    ['an expired caller', createCaller({ expiresAt: Date.now() - 1 })],
    ['the operator on the public plane', operator()],
  ])('%s', async (_what, caller) => {
    const { status, json, headers } = await app.call(`/v1/things/${id}`, { caller });
    expect({ status, code: getError(json).code }).toEqual({ status: 401, code: 'invalid_caller' });
    expect((json as { request_id: string }).request_id).toBe(headers.get('x-request-id'));
  });

  test('a customer on the operator API, and an unknown path without a caller', async () => {
    expect((await app.call('/operator/v1/things', { method: 'POST' })).status).toBe(401);
    expect((await app.call('/v1/nowhere', { caller: null })).status).toBe(401);
  });
});

describe('404 not_found', () => {
  test.each([
    '/v1/nowhere',
    '/things',
    '/v1/things/',
    '/V1/things',
    '/operator/v1/nowhere',
    '/v1/things/%zz',
  ])('%s', async (path) => {
    const caller = createCaller();
    const { status, json } = await app.call(path, { caller });
    expect(status).toBe(404);
    expect(json).toEqual({
      error: { code: 'not_found', message: 'Not found', doc_url: '/docs/errors#not_found' },
      request_id: caller.requestId,
    });
  });

  test.each(['DELETE', 'OPTIONS'])('a method that is not in the table: %s', async (method) => {
    expect((await app.call(`/v1/things/${id}`, { method })).status).toBe(404);
  });
});

describe('the operator API', () => {
  const change = () => app.call('/operator/v1/things', { method: 'POST', caller: operator() });

  test('201 without events has no header', async () => {
    const { status, json, headers } = await change();
    expect({ status, json }).toEqual({ status: 201, json: { data: { ok: true } } });
    expect(readPublished(headers.get('x-bv-published') ?? undefined)).toEqual([]);
  });

  test('201 names the highest position of each subject', async () => {
    things.eventIds = [randomUUID(), randomUUID(), randomUUID()];
    const { headers, json } = await change();
    expect(json).toEqual({ data: { ok: true } });
    expect(readPublished(headers.get('x-bv-published') ?? undefined)).toEqual([
      { subject: 'events.0', seq: 12 },
      { subject: 'events.1', seq: 11 },
    ]);
  });

  test('503 api_unavailable when the events are not published in time', async () => {
    things.eventIds = ['stuck'];
    const { status, json, headers } = await change();
    expect({ status, code: getError(json).code }).toEqual({ status: 503, code: 'api_unavailable' });
    expect(getError(json).message).toContain('stored');
    expect(headers.get('retry-after')).toBe('5');
  });

  test('a streamed body has no size limit and is not parsed', async () => {
    const body = Array.from({ length: 40_000 }, () => 'x'.repeat(50)).join('\n');
    const { status, json } = await app.call('/operator/v1/import', {
      method: 'POST',
      caller: operator(),
      body,
    });
    expect({ status, json }).toEqual({ status: 201, json: { data: { lines: 40_000 } } });
  });
});

describe('what is recorded', () => {
  test('one line a request, with ids, status and duration, without the query', async () => {
    const caller = createCaller();
    await app.call(`/v1/things/${id}?token=secret`, { caller });
    await eventually(() => expect(app.lines).toHaveLength(1));
    expect(app.lines[0]).toMatchObject({
      level: 'info',
      msg: 'request',
      requestId: caller.requestId,
      operation: 'getThing',
      method: 'GET',
      path: `/v1/things/${id}`,
      status: 200,
      durationMs: expect.any(Number),
      keyId: caller.keyId,
      keyPrefix: 'bvk_live_Ab1',
      orgId: caller.orgId,
    });
    expect(JSON.stringify(app.lines)).not.toContain('secret');
  });

  test('a refusal names its code', async () => {
    await app.call('/v1/nowhere');
    await eventually(() =>
      expect(app.lines).toMatchObject([{ operation: 'unmatched', status: 404, errorCode: 'not_found' }]),
    );
  });

  test('a caller that disconnects is 499', async () => {
    let release = () => {};
    things.onGet = () => new Promise((resolve) => (release = () => resolve({ data: thing })));
    const started = new Promise<void>((resolve) => {
      const original = things.onGet;
      things.onGet = () => {
        resolve();
        return original();
      };
    });
    const controller = new AbortController();
    const call = fetch(`${app.url}/v1/things/${id}`, {
      signal: controller.signal,
      headers: {
        'x-bv-caller': (await import('@bv/http')).signCaller(createCaller(), 'a-secret-of-the-tests'),
      },
    }).catch(() => undefined);
    await started;
    controller.abort();
    await call;
    await eventually(() => expect(app.lines).toMatchObject([{ operation: 'getThing', status: 499 }]));
    release();
  });

  test('durations by operation and status', async () => {
    await app.call(`/v1/things/${id}`);
    await eventually(async () => {
      const metrics = await app.metrics.registry.metrics();
      expect(metrics).toMatch(
        /bv_http_request_duration_seconds_count\{service="catalog",operation="getThing",status="200"\} \d+/,
      );
      expect(metrics).toMatch(
        /bv_http_request_duration_seconds_bucket\{le="0.25",.*operation="createThing",status="201"/,
      );
    });
  });
});

describe('the table is checked at the start', () => {
  const create = (wrong: Partial<Parameters<typeof createServiceApp>[0]>) => () =>
    createServiceApp({
      service: 'catalog',
      routes,
      callerSecrets: ['s'],
      log: createLogger({ service: 'catalog', level: 'silent' }),
      metrics: createMetrics('catalog'),
      checkResponses: true,
      ...wrong,
    });

  test('an operation of another service, one routed twice, no secret', () => {
    expect(create({ service: 'results' })).toThrow('belongs to catalog');
    expect(create({ routes: [...routes, ...routes] })).toThrow('routed twice');
    expect(create({ callerSecrets: [] })).toThrow('secret');
  });
});

test('a client that sends less than it declares does not delay others', async () => {
  const pending = httpRequest(`${app.url}/v1/things/${id}/parts`, {
    method: 'POST',
    headers: { 'content-length': 100 },
  });
  pending.on('error', () => undefined);
  pending.write('{');
  expect((await app.call(`/v1/things/${id}`)).status).toBe(200);
  pending.destroy();
});
