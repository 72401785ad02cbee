import { randomUUID } from 'node:crypto';
import type { KeyUsage } from '@bv/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withinMinute } from './client.ts';
import { expectRefusal, getWindow, minuteEnd, noWindow } from './expect-refusal.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000' } });
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

describe('401 invalid_api_key', () => {
  test('the same response for every reason, without rate limit headers', async () => {
    const expired = await gateway.customer();
    await gateway.expireKey(expired.keyId);
    const revoked = await gateway.customer();
    await gateway.operator('DELETE', `/keys/${revoked.keyId}`);
    const deleted = await gateway.customer();
    await gateway.sql.query('update org_access set deleted_at = now() where org_id = $1', [deleted.orgId]);
    const suspended = await gateway.reseller();
    await gateway.operator('PATCH', `/partners/${suspended.partnerId}`, { status: 'suspended' });
    const { key } = await gateway.customer();
    const presented = [
      expired.key,
      revoked.key,
      deleted.key,
      suspended.key,
      key.replace('live', 'test'),
      key.slice(0, -1),
      `${key}0`,
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      key.toLowerCase(),
      'two words',
    ];
    const bodies = new Set<string>();
    for (const value of presented) {
      const response = await gateway.call({ path: '/v1/orgs', key: value });
      expectRefusal(response, 401, 'invalid_api_key');
      expect(getWindow(response)).toEqual(noWindow);
      bodies.add(JSON.stringify(response.body.error));
    }
    expect(bodies.size).toBe(1);
  });

  test('a key anywhere but in the header is no key', async () => {
    const { key } = await gateway.customer();
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const responses = [
      await gateway.call({ path: `/v1/orgs?api_key=${key}` }),
      await gateway.call({ path: '/v1/orgs', headers: { authorization: basic } }),
      await gateway.call({ path: '/v1/orgs', headers: { authorization: 'Bearer ' } }),
    ];
    expect(responses.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(
      Array.from({ length: 3 }, () => '401 invalid_api_key'),
    );
  });

  test('the scheme is read in any case', async () => {
    const { key } = await gateway.customer();
    const response = await gateway.call({ path: '/v1/orgs', headers: { authorization: `bearer ${key}` } });
    expect(response.status).toBe(200);
  });

  test('two Authorization headers that differ are no credential, and count as a wrong one', async () => {
    await withinMinute(10_000);
    const { key } = await gateway.customer();
    const ask = (...values: string[]) =>
      gateway.call({
        path: '/v1/orgs',
        headers: { authorization: values, 'x-forwarded-for': '198.51.100.23' },
      });
    expect((await ask(`Bearer ${key}`, `Bearer ${key}`)).status).toBe(200);
    expectRefusal(await ask('Basic YTpi', 'Digest a'), 401, 'invalid_api_key');
    const { key: other } = await gateway.customer();
    const pairs = [
      [`Bearer ${key}`, `Bearer ${other}`],
      ['Basic YTpi', `Bearer ${key}`],
      [`Bearer ${key}`, 'Basic YTpi'],
    ];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expectRefusal(await ask(...(pairs[attempt % pairs.length] ?? [])), 401, 'invalid_api_key');
    }
    expectRefusal(await ask(`Bearer ${key}`), 429, 'rate_limited');
  });

  test('an unknown path is checked only after the key', async () => {
    const { status, body } = await gateway.call({ path: '/v1/nowhere' });
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
  });
});

describe('403', () => {
  test('tier_not_entitled charges the minute and not the month', async () => {
    const { key, keyId } = await gateway.customer(
      { per_minute: 10, monthly_quota: 50 },
      { apiAccess: false },
    );
    await withinMinute(10_000);
    for (const remaining of ['9', '8']) {
      const response = await gateway.call({ path: '/v1/orgs', key });
      expectRefusal(response, 403, 'tier_not_entitled');
      expect(getWindow(response)).toEqual({ limit: '10', remaining, reset: minuteEnd() });
    }
    const usage = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=200');
    expect(usage.body.data.find((row) => row.key_id === keyId)?.used).toBe(0);
  });

  test('tier_not_entitled of a service refunds the unit of the month', async () => {
    const { orgId, key, keyId } = await gateway.customer({ monthly_quota: 1 });
    const path = `/v1/orgs/${orgId}/brands/${randomUUID()}/scan-requests`;
    gateway.upstream.respond = (_, response) =>
      json(response, 403, { error: { code: 'tier_not_entitled', message: 'No' }, request_id: 'r' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await gateway.call({ method: 'POST', path, key });
      expect([response.status, response.body.error.code]).toEqual([403, 'tier_not_entitled']);
    }
    gateway.upstream.reset();
    expect((await gateway.call({ method: 'POST', path, key })).status).toBe(200);
    expectRefusal(await gateway.call({ method: 'POST', path, key }), 429, 'quota_exceeded');
    const usage = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=200');
    expect(usage.body.data.find((row) => row.key_id === keyId)?.used).toBe(1);
  });
});
