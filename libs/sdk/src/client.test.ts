import { describe, expect, test } from '@jest/globals';
import { operations } from '@bv/contract';
import { inspect } from 'node:util';
import { BrandVisibilityClient } from './client.ts';

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
