import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ClientResponse, Sent } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Names of the response headers that a client uses. */
function clientHeaders({ headers }: ClientResponse): string[] {
  const window = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  const others = ['retry-after', 'www-authenticate', 'allow', 'idempotent-replayed'];
  const names = [...window, ...others].filter((name) => headers[name] !== undefined);
  return names.length >= 3 && window.every((name) => names.includes(name))
    ? ['window', ...names.slice(3)]
    : names;
}

test('which headers go with which refusal', async () => {
  const { key, orgId } = await gateway.customer();
  const reader = await gateway.customer({ scopes: ['read'] });
  const narrow = await gateway.reseller({}, 'read_only');
  const unentitled = await gateway.customer({}, { apiAccess: false });
  const limited = await gateway.customer({ per_minute: 1, monthly_quota: 0 });
  const path = `/v1/orgs/${orgId}/properties`;
  const write = (sent: Partial<Sent>): Sent => ({ method: 'POST', path, key, body: {}, ...sent });
  const idempotent = { 'idempotency-key': randomUUID() };
  await gateway.call(write({ headers: idempotent }));
  const cases: [Sent, string, string[]][] = [
    [{ method: 'OPTIONS', path, headers: { origin: 'https://a.example' } }, 'cors_disabled', ['allow']],
    [{ path: '/v1/orgs' }, 'invalid_api_key', ['www-authenticate']],
    [{ path: '/v1/orgs', key: 'wrong' }, 'invalid_api_key', ['www-authenticate']],
    [{ path: '/v1/orgs', key: unentitled.key }, 'tier_not_entitled', ['window']],
    [{ path: '/v1/orgs', key: limited.key }, 'quota_exceeded', ['window', 'retry-after']],
    [{ path: '/v1/orgs', key, body: {} }, 'body_not_allowed', ['window']],
    [{ path: '/v1/nowhere', key }, 'not_found', ['window']],
    [{ path: '/v1/orgs/7', key }, 'validation_error', ['window']],
    [{ path: `/v1/orgs/${randomUUID()}`, key }, 'not_found', ['window']],
    [{ path: '/v1/webhook-endpoints', key }, 'partner_only', ['window']],
    [
      write({ path: `/v1/orgs/${reader.orgId}/properties`, key: reader.key }),
      'write_scope_required',
      ['window'],
    ],
    [
      write({ path: `/v1/orgs/${narrow.orgId}/properties`, key: narrow.key }),
      'link_scope_insufficient',
      ['window'],
    ],
    [write({ headers: { 'idempotency-key': 'x'.repeat(256) } }), 'validation_error', ['window']],
    [write({ body: ' '.repeat(1_048_577) }), 'payload_too_large', ['window']],
    [write({ headers: { 'content-encoding': 'gzip' } }), 'invalid_body', ['window']],
    [write({ body: '{' }), 'invalid_json', ['window']],
    [write({ headers: idempotent, body: { other: 1 } }), 'idempotency_key_reuse', ['window']],
  ];
  for (const [sent, code, names] of cases) {
    const answer = await gateway.call(sent);
    expect([code, clientHeaders(answer)]).toEqual([answer.body.error.code, names]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect(clientHeaders(await gateway.call(write({ headers: idempotent })))).toEqual([
    'window',
    'idempotent-replayed',
  ]);
});

test('a 503 of a service without Retry-After gets one', async () => {
  const { key, orgId } = await gateway.customer();
  gateway.upstream.respond = (_, response) =>
    json(response, 503, { error: { code: 'api_unavailable', message: 'm' }, request_id: 'r' });
  const { status, headers } = await gateway.call({ path: `/v1/orgs/${orgId}/brands`, key });
  gateway.upstream.reset();
  expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([503, '5', undefined]);
});

test('query parameters that an operation does not know are named', async () => {
  const { key, orgId } = await gateway.customer();
  gateway.upstream.reset();
  const ask = async (query: string): Promise<unknown> => {
    const path = `/v1/orgs/${orgId}/brands?${query}`;
    return (await gateway.call({ path, key })).headers['x-ignored-parameters'];
  };
  expect(await ask('limit=5&cursor=')).toBeUndefined();
  expect(await ask('platfrom=chatgpt&limit=5&b=1&platfrom=claude&%20a,b=1&t%C3%A9=')).toBe(
    'platfrom,b,%20a%2Cb,t%C3%A9',
  );
  expect(await ask('__proto__=1&constructor=1')).toBe('__proto__,constructor');
  const long = 'a'.repeat(200);
  expect(await ask(`${long}=1&${'b'.repeat(55)}=1&c=1`)).toBe(`${long},${'b'.repeat(55)}`);
  expect(await ask(`${long}=1&${'b'.repeat(56)}=1&c=1`)).toBe(long);
  expect(await ask(`${long}${'%20'.repeat(30)}=1`)).toBe(`${long}${'%20'.repeat(18)}`);
  const refused = await gateway.call({ path: '/v1/orgs/7?windw=7d', key });
  expect([refused.status, refused.headers['x-ignored-parameters']]).toEqual([400, 'windw']);
});
