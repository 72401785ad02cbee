import { ApiError } from '@bv/contract';
import { describe, expect, test } from '@jest/globals';
import { asJson, createCaller, startApp } from './start-app.ts';
import { getDetails, getError, id, routes, things, useThingsApp } from './things-app.ts';

const app = useThingsApp();

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
    ['tag=100%&other=caf%E9', 'other', 'invalid_format'],
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
    const { status, json } = await app.call(`/v1/things/${id}/parts`, {
      method: 'POST',
      ...asJson(body),
    });
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
    things.onGet = () => Promise.reject(error);
    return app.call(`/v1/things/${id}`);
  };

  test('an ApiError becomes its status, code, message, details', async () => {
    const { status, json } = await refuse(new ApiError('brand_archived', { details: { brand_id: id } }));
    expect(status).toBe(409);
    expect(getError(json)).toEqual({
      code: 'brand_archived',
      message: 'The brand is archived',
      doc_url: '/docs/errors#brand_archived',
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
    things.onGet = () => Promise.reject(new Error('password of the database is hunter2'));
    const { status, json } = await app.call(`/v1/things/${id}`, { caller });
    expect(status).toBe(500);
    expect(json).toEqual({
      error: {
        code: 'internal_error',
        message: 'Internal error',
        doc_url: '/docs/errors#internal_error',
      },
      request_id: caller.requestId,
    });
    const logged = app.lines.find(({ msg }) => msg === 'request failed');
    expect(logged).toMatchObject({
      level: 'error',
      requestId: caller.requestId,
      operation: 'getThing',
      err: { stack: expect.stringContaining('service-app-refusals.int.test.ts') },
    });
  });

  test.each([undefined, null, 'text', 7])('500 internal_error for a thrown %p', async (value) => {
    expect((await refuse(value)).status).toBe(500);
  });

  test('500 internal_error for a handler that throws at once', async () => {
    things.onGet = () => {
      throw new Error('at once');
    };
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
  });
});

describe('responses compared with the contract', () => {
  const wrong = { data: { id, name: 'x', extra: true } };

  test('on: invalid data, an undeclared code and invalid details are internal errors', async () => {
    things.onGet = async () => wrong;
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    things.onGet = () => Promise.reject(new ApiError('partner_only'));
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    things.onGet = () => Promise.reject(new ApiError('brand_archived', { details: { brand: id } }));
    expect((await app.call(`/v1/things/${id}`)).status).toBe(500);
    expect(app.lines.filter(({ msg }) => msg === 'request failed')).toMatchObject([
      { err: { message: expect.stringContaining('Unrecognized key: "extra"') } },
      { err: { message: expect.stringContaining('does not name') } },
      { err: { message: expect.stringContaining('brand_archived details') } },
    ]);
  });

  test('off: it is sent unchanged', async () => {
    const production = await startApp(routes, { checkResponses: false });
    things.onGet = async () => wrong;
    expect((await production.call(`/v1/things/${id}`)).json).toEqual(wrong);
    await production.close();
  });
});
