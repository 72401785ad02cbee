import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { ApiError } from '@bv/contract';
import { createServiceApp, readPublished, route } from '@bv/http';
import type { HandlerInput } from '@bv/http';
import { createLogger, createMetrics } from '@bv/telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import {
  createThing,
  getOrgThing,
  getSummary,
  getThing,
  listThings,
  operatorChange,
  operatorGetOrgThing,
  operatorImport,
  strictThing,
  touchThing,
} from './operations.ts';
import { asJson, createCaller, operator, startApp } from './start-app.ts';

const id = '3f2a0e6c-9d7b-4b1e-8a35-6f0c1d2e3b4a';
const thing = { id, name: 'a thing' };
/** What a test makes the handlers do. */
let onGet: () => Promise<{ data: typeof thing }>;
let eventIds: string[];
let seen: HandlerInput<typeof createThing> | undefined;
let app: Awaited<ReturnType<typeof startApp>>;

const routes = [
  route(getThing, () => onGet()),
  route(listThings, async ({ query }) => ({
    data: [{ id, name: JSON.stringify(query) }],
    pagination: { next_cursor: null, has_more: false },
  })),
  route(getSummary, async () => ({ data: { count: 1 } })),
  route(createThing, async (input) => {
    seen = input;
    return { data: { id: input.params.thingId, name: input.body.name } };
  }),
  route(strictThing, async () => ({ data: thing })),
  route(touchThing, async ({ body }) => ({ data: { id, name: String(body) } })),
  route(getOrgThing, async () => ({ data: thing })),
  route(operatorGetOrgThing, async () => ({ data: thing })),
  route(operatorChange, async () => ({ data: { ok: true }, eventIds })),
  route(operatorImport, async ({ body }) => ({ data: { lines: (await text(body)).split('\n').length } }), {
    body: 'stream',
  }),
];

beforeAll(async () => {
  app = await startApp(routes, {
    flushEvents: async (ids) => {
      if (ids.includes('stuck')) throw new Error('the outbox was not flushed in time');
      return ids.map((_id, index) => ({ subject: `events.${index % 2}`, seq: index + 10 }));
    },
  });
});
afterAll(() => app.close());
beforeEach(() => {
  onGet = async () => ({ data: thing });
  eventIds = [];
  seen = undefined;
  app.lines.length = 0;
});

const getError = (json: unknown) =>
  (json as { error: { code: string; message: string; details?: unknown } }).error;
const getDetails = (json: unknown) => getError(json).details as { path: string; code: string }[];

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
    expect(seen).toMatchObject({
      params: { thingId: id },
      query: {},
      body: { name: 'part' },
      caller,
      requestId: caller.requestId,
      idempotencyKey: 'clé 日本',
    });
    expect(seen?.body).not.toHaveProperty('unknown');
    expect(seen?.sentBody).toEqual({ name: 'part', unknown: 1 });
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
      error: { code: 'not_found', message: 'Not found' },
      request_id: caller.requestId,
    });
  });

  test.each(['DELETE', 'OPTIONS'])('a method that is not in the table: %s', async (method) => {
    expect((await app.call(`/v1/things/${id}`, { method })).status).toBe(404);
  });
});

describe('400 validation_error', () => {
  test('params', async () => {
    const { status, json } = await app.call('/v1/things/7');
    expect(status).toBe(400);
    expect(getDetails(json)).toMatchObject([{ path: 'thingId', code: 'invalid_format' }]);
  });

  test.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=201', 'limit', 'too_big'],
    ['limit=x', 'limit', 'invalid_type'],
    ['kind=c', 'kind', 'invalid_value'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    ['tag=x&tag=x', 'tag', 'invalid_type'],
    ['kind=a&kind=b', 'kind', 'invalid_type'],
  ])('query ?%s', async (query, path, code) => {
    const { status, json } = await app.call(`/v1/things?${query}`);
    expect(status).toBe(400);
    expect(getDetails(json).map((detail) => ({ path: detail.path, code: detail.code }))).toEqual([
      { path, code },
    ]);
  });

  test('unknown query parameters are ignored, once or repeated', async () => {
    expect((await app.call('/v1/things?other=1&other=2&__proto__=3&tag[]=4')).status).toBe(200);
  });

  test.each([
    ['missing field', {}, 'name', 'invalid_type'],
    ['too long', { name: 'x'.repeat(21) }, 'name', 'too_big'],
    [
      'nested, by its own code',
      { name: 'x', rows: [{ country: 'DE' }, { country: 'XX' }] },
      'rows.1.country',
      'unsupported_country',
    ],
    ['not an object', [1], '', 'invalid_type'],
    ['null', null, '', 'invalid_type'],
  ])('body: %s', async (_what, body, path, code) => {
    const { status, json } = await app.call(`/v1/things/${id}/parts`, { method: 'POST', ...asJson(body) });
    expect(status).toBe(400);
    expect(getDetails(json)).toMatchObject([{ path, code }]);
  });

  test.each([undefined, ''])('an absent body is one error of the body as a whole (%j)', async (body) => {
    const { status, json } = await app.call(`/v1/things/${id}/parts`, {
      method: 'POST',
      ...(body === '' && { body }),
    });
    expect(status).toBe(400);
    expect(getDetails(json)).toMatchObject([{ path: '', code: 'invalid_type' }]);
  });

  test('unknown fields of a strict body are named', async () => {
    const { json } = await app.call(`/v1/things/${id}`, {
      method: 'PUT',
      ...asJson({ name: 'x', a: 1, b: 2 }),
    });
    expect(getDetails(json)).toMatchObject([
      { path: 'a', code: 'unrecognized_keys' },
      { path: 'b', code: 'unrecognized_keys' },
    ]);
  });

  test('params are validated before the query, the query before the body', async () => {
    const call = async (path: string) =>
      getDetails((await app.call(path, { method: 'POST', ...asJson({}) })).json).map((detail) => detail.path);
    expect(await call('/v1/things/7/parts?verbose=x')).toEqual(['thingId']);
    expect(await call(`/v1/things/${id}/parts?verbose=x`)).toEqual(['verbose']);
    expect(await call(`/v1/things/${id}/parts`)).toEqual(['name']);
  });
});

describe('refusals of bodies', () => {
  const post = (init: { headers?: Record<string, string>; body: string | Buffer }) =>
    app.call(`/v1/things/${id}/parts`, { method: 'POST', ...init });

  test('400 text_immutable comes from the schema, also together with other errors', async () => {
    const { status, json } = await post(asJson({ name: 'x', fixed: 'new' }));
    expect({ status, code: getError(json).code }).toEqual({ status: 400, code: 'text_immutable' });
  });

  test.each(['{', 'nonsense', '{"name":"x"}}'])('400 invalid_json: %s', async (body) => {
    expect(getError((await post({ body })).json).code).toBe('invalid_json');
  });

  test('400 invalid_body: compressed, or not UTF-8', async () => {
    const compressed = await post({ headers: { 'content-encoding': 'gzip' }, body: 'x' });
    expect({ status: compressed.status, code: getError(compressed.json).code }).toEqual({
      status: 400,
      code: 'invalid_body',
    });
    const latin1 = await post({ body: Buffer.from('{"name":"é"}', 'latin1') });
    expect(getError(latin1.json).code).toBe('invalid_body');
  });

  test('413 payload_too_large above 1,048,576 bytes, not at it', async () => {
    const buildBody = (bytes: number) => JSON.stringify({ name: 'x', pad: 'y'.repeat(bytes - 21) });
    expect(buildBody(1_048_576).length).toBe(1_048_576);
    expect((await post({ body: buildBody(1_048_576) })).status).toBe(201);
    const { status, json } = await post({ body: buildBody(1_048_577) });
    expect({ status, code: getError(json).code }).toEqual({ status: 413, code: 'payload_too_large' });
  });
});

describe('refusals of handlers', () => {
  const refuse = (error: unknown) => {
    onGet = () => Promise.reject(error);
    return app.call(`/v1/things/${id}`);
  };

  test('an ApiError becomes its status, code, message, details', async () => {
    const { status, json } = await refuse(new ApiError('brand_archived', { details: { brand_id: id } }));
    expect(status).toBe(409);
    expect(getError(json)).toEqual({
      code: 'brand_archived',
      message: 'The brand is archived',
      details: { brand_id: id },
    });
  });

  test('409 scan_in_progress carries Retry-After', async () => {
    const { status, headers } = await refuse(new ApiError('scan_in_progress', { retryAfterSeconds: 5 }));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 409, retryAfter: '5' });
  });

  test('503 always carries Retry-After', async () => {
    const { status, headers } = await refuse(new ApiError('api_unavailable'));
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '5' });
  });

  test('500 internal_error sends no details and logs them', async () => {
    const caller = createCaller();
    onGet = () => Promise.reject(new Error('password of the database is hunter2'));
    const { status, json } = await app.call(`/v1/things/${id}`, { caller });
    expect(status).toBe(500);
    expect(json).toEqual({
      error: { code: 'internal_error', message: 'Internal error' },
      request_id: caller.requestId,
    });
    const logged = app.lines.find(({ msg }) => msg === 'request failed');
    expect(logged).toMatchObject({
      level: 'error',
      requestId: caller.requestId,
      operation: 'getThing',
      err: { stack: expect.stringContaining('service-app.int.test.ts') },
    });
  });

  test.each([undefined, null, 'text', 7])('500 internal_error for a thrown %p', async (value) => {
    expect((await refuse(value)).status).toBe(500);
  });

  test('500 internal_error for a handler that throws at once', async () => {
    onGet = () => {
      throw new Error('at once');
    };
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
  });
});

describe('responses compared with the contract', () => {
  const wrong = { data: { id, name: 'x', extra: true } };

  test('on: invalid data, an undeclared code and invalid details are internal errors', async () => {
    onGet = async () => wrong;
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    onGet = () => Promise.reject(new ApiError('partner_only'));
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    onGet = () => Promise.reject(new ApiError('brand_archived', { details: { brand: id } }));
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    expect(app.lines.filter(({ msg }) => msg === 'request failed')).toMatchObject([
      { err: { message: expect.stringContaining('Unrecognized key: "extra"') } },
      { err: { message: expect.stringContaining('does not name') } },
      { err: { message: expect.stringContaining('brand_archived details') } },
    ]);
  });

  test('off: it is sent unchanged', async () => {
    const production = await startApp(routes, { checkResponses: false });
    onGet = async () => wrong;
    expect((await production.call(`/v1/things/${id}`)).json).toEqual(wrong);
    await production.close();
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
    eventIds = [randomUUID(), randomUUID(), randomUUID()];
    const { headers, json } = await change();
    expect(json).toEqual({ data: { ok: true } });
    expect(readPublished(headers.get('x-bv-published') ?? undefined)).toEqual([
      { subject: 'events.0', seq: 12 },
      { subject: 'events.1', seq: 11 },
    ]);
  });

  test('503 api_unavailable when the events are not published in time', async () => {
    eventIds = ['stuck'];
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
    onGet = () => new Promise((resolve) => (release = () => resolve({ data: thing })));
    const started = new Promise<void>((resolve) => {
      const original = onGet;
      onGet = () => {
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
