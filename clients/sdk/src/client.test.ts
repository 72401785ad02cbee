import { describe, expect, test } from '@jest/globals';
import { operations } from '@bv/contract';
import { inspect } from 'node:util';
import { BrandVisibilityClient } from './client.ts';
import { ApiError, isApiError } from './errors.ts';

const options = { baseUrl: 'https://api.example.com/v1', apiKey: 'bvk_live_secret' };
const orgId = '5b0a3a34-7f6e-4b53-9a53-3f3f0a6a0d11';

/** Returns the URL of a call without sending it. */
async function getUrl(call: (client: BrandVisibilityClient) => Promise<unknown>, baseUrl = options.baseUrl) {
  let sent = '';
  const fetch = (input: unknown) => {
    sent = String(input);
    return Promise.resolve(Response.json({ data: [], pagination: { next_cursor: null, has_more: false } }));
  };
  await call(new BrandVisibilityClient({ ...options, baseUrl, fetch }));
  return sent;
}

test('every operation of the contract is a method', () => {
  const client = new BrandVisibilityClient(options) as unknown as Record<string, unknown>;
  expect(operations.filter(({ id }) => typeof client[id] !== 'function')).toEqual([]);
});

test('parameters are escaped, omitted values are not sent, booleans are serialised', async () => {
  const url = await getUrl((client) =>
    client.listPrompts({ orgId: 'a/b?', tag: 'x&y', active: false, country: undefined }).all(),
  );
  expect(url).toBe('https://api.example.com/v1/orgs/a%2Fb%3F/prompts?tag=x%26y&active=false');
  expect(await getUrl((client) => client.getOrg({ orgId }), 'http://h/v1///')).toBe(
    `http://h/v1/orgs/${orgId}`,
  );
});

test('an operation on a single resource sends its query parameters, and no others', async () => {
  const at = { orgId, brandId: orgId, name: 'Acme' };
  const url = await getUrl((client) =>
    client.compareScores({ ...at, metric: 'sentiment', from_a: undefined }),
  );
  expect(url).toBe(`${options.baseUrl}/orgs/${orgId}/brands/${orgId}/scores/compare?metric=sentiment`);
  expect(await getUrl((client) => client.getBrand(at))).toBe(
    `${options.baseUrl}/orgs/${orgId}/brands/${orgId}`,
  );
});

describe('invalid arguments throw before anything is sent', () => {
  test.each(['', '.', '..'])('the id "%s"', async (id) => {
    await expect(getUrl((client) => client.getOrg({ orgId: id }))).rejects.toBeInstanceOf(TypeError);
  });

  test.each(['', 'a'.repeat(256), 'line\nbreak'])('the idempotency key %j', async (idempotencyKey) => {
    const call = getUrl((client) => client.requestScan({ orgId, brandId: orgId }, { idempotencyKey }));
    await expect(call).rejects.toBeInstanceOf(TypeError);
  });

  test.each([
    ['an invalid URL', { baseUrl: 'api.example.com' }],
    ['another protocol', { baseUrl: 'ftp://api.example.com' }],
    ['credentials in the URL', { baseUrl: 'https://key@api.example.com/v1' }],
    ['an empty key', { apiKey: '' }],
    ['a key with a line break', { apiKey: 'bvk_live_x\n' }],
    ['a negative timeout', { timeoutMs: -1 }],
    ['retries that are not a number', { retry: { maxRetries: Number.NaN } }],
  ])('%s', (_what, wrong) => {
    expect(() => new BrandVisibilityClient({ ...options, ...wrong })).toThrow(TypeError);
  });
});

test('a client that is printed does not show its key', () => {
  const client = new BrandVisibilityClient(options);
  expect(inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client)).not.toContain('secret');
});

describe('logger', () => {
  const logged: [level: string, message: string, fields: object][] = [];
  const logger = {
    debug: (message: string, fields: object) => logged.push(['debug', message, fields]),
    warn: (message: string, fields: object) => logged.push(['warn', message, fields]),
  };

  test('gets retries, responses and unknown fields of a body, but neither the key nor the body', async () => {
    let calls = 0;
    const fetch = () => {
      calls += 1;
      const refusal = { error: { code: 'api_unavailable', message: 'busy' } };
      const headers = { 'x-ignored-parameters': 'windw' };
      const response =
        calls === 1
          ? Response.json(refusal, { status: 503 })
          : Response.json({ data: { id: 'p' } }, { headers });
      return Promise.resolve(response);
    };
    const client = new BrandVisibilityClient({ ...options, logger, fetch, retry: { baseDelayMs: 1 } });
    const body = { text: 'private text', countries: ['US'], platform: ['chatgpt'] };
    await client.createPrompt({ orgId, brandId: orgId }, body);
    expect(logged.map(([level, message]) => [level, message.replace(/\d+ ms/, 'n ms')])).toEqual([
      ['warn', 'createPrompt: unknown fields platform'],
      ['debug', 'createPrompt: 503'],
      ['warn', 'createPrompt: retry in n ms'],
      ['debug', 'createPrompt: 200'],
      ['warn', 'createPrompt: ignored parameters windw'],
    ]);
    expect(logged[3]?.[2]).toMatchObject({ method: 'POST', attempt: 2, status: 200 });
    expect(JSON.stringify(logged)).not.toMatch(/secret|private text/);
  });
});

test('an error as JSON has its message and code', async () => {
  const refusal = { error: { code: 'not_found', message: 'Not found' }, request_id: 'x' };
  const fetch = () => Promise.resolve(Response.json(refusal, { status: 404 }));
  const error: unknown = await new BrandVisibilityClient({ ...options, fetch })
    .getOrg({ orgId })
    .catch((caught: unknown) => caught);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ApiError',
    message: 'not_found: Not found',
    code: 'not_found',
    status: 404,
  });
});

test('isApiError knows the errors of another copy of the package', async () => {
  const copy = await import('./errors.ts?copy' as './errors.ts');
  const refusal = { code: 'conflict', status: 409, message: 'x', headers: new Headers() };
  const absent = { details: undefined, requestId: undefined, retryAfterSeconds: undefined };
  const error = new copy.ApiError({ ...refusal, ...absent });
  expect(error).not.toBeInstanceOf(ApiError);
  expect([isApiError(error), isApiError(error, 'conflict'), isApiError(error, 'not_found')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isApiError(new Error('x')), isApiError(null), isApiError(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});

test('request sends an operation that the SDK does not have, with a key for writes', async () => {
  const sent: [string, RequestInit][] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    sent.push([input as string, init ?? {}]);
    return Promise.resolve(Response.json({ data: { ok: true } }));
  };
  const client = new BrandVisibilityClient({ ...options, fetch });
  const query = { a: 'x y', b: undefined };
  expect(await client.request({ method: 'POST', path: '/new', query, body: { c: 1 } })).toEqual({ ok: true });
  expect(sent[0]?.[0]).toBe(`${options.baseUrl}/new?a=x+y`);
  expect(sent[0]?.[1]).toMatchObject({ method: 'POST', body: '{"c":1}' });
  expect(new Headers(sent[0]?.[1].headers).get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  expect(() => client.request({ method: 'GET', path: 'new' })).toThrow(TypeError);
});
