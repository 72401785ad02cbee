import type { KeyIntrospection } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nextMonthMs } from '../src/domain/quota.ts';
import { withinMinute } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { USAGE_FLUSH_MS: '60000' } });
});
afterAll(() => gateway.stop());

const read = (key: string, path = '/v1/key') => gateway.call<KeyIntrospection>({ path, key });

describe('200', () => {
  test('an organisation key reads its name, scopes, expiry, allowance and month', async () => {
    const expires_at = '2099-01-01T00:00:00.000Z';
    const input = { name: 'Reports', scopes: ['read'], per_minute: 90, monthly_quota: 5_000, expires_at };
    const { orgId, key } = await gateway.customer(input);
    const before = Date.now();
    const { status, body } = await read(key);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      key_prefix: key.slice(0, 12),
      kind: 'organisation',
      name: 'Reports',
      scopes: ['read'],
      expires_at,
      org_id: orgId,
      partner_id: null,
      per_minute: 90,
      monthly: { quota: 5_000, used: 1, resets_at: expect.any(String) },
    });
    const resets = [before, Date.now()].map((at) => new Date(nextMonthMs(at)).toISOString());
    expect(resets).toContain(body.data.monthly.resets_at);
  });

  test('a partner key has its partner, and no quota unless one is set', async () => {
    const { partnerId, key } = await gateway.reseller();
    const { body } = await read(key);
    expect(body.data).toMatchObject({
      kind: 'partner',
      org_id: null,
      partner_id: partnerId,
      name: null,
      expires_at: null,
      scopes: ['read', 'write'],
      monthly: { quota: null, used: 1 },
    });
  });

  test('used counts every charged request of this key and no other', async () => {
    const { orgId, key } = await gateway.customer({ monthly_quota: 100 });
    const other = await gateway.createOrgKey(orgId);
    await withinMinute(5_000);
    await Promise.all(Array.from({ length: 7 }, () => read(key, '/v1/orgs')));
    // Charged too, although the path is unknown.
    await read(key, '/v1/unknown');
    await read(other.key, '/v1/orgs');
    expect((await read(key)).body.data.monthly).toMatchObject({ quota: 100, used: 9 });
    const { headers, body } = await read(key);
    expect(body.data.monthly.used).toBe(10);
    expect(headers['x-ratelimit-remaining']).toBe('99990');
  });

  test('a used month of the past does not count', async () => {
    const { key, keyId } = await gateway.customer();
    await gateway.sql.query('insert into quota_leases (key_id, month, used) values ($1, 202001, 500)', [
      keyId,
    ]);
    expect((await read(key)).body.data.monthly.used).toBe(1);
  });
});

describe('refusals', () => {
  test('it is charged: the quota and the minute refuse it like every read', async () => {
    const { key } = await gateway.customer({ monthly_quota: 1 });
    expect((await read(key)).status).toBe(200);
    expect((await read(key)).body.error.code).toBe('quota_exceeded');
    const minute = await gateway.customer({ per_minute: 1 });
    await withinMinute(5_000);
    expect((await read(minute.key)).status).toBe(200);
    expect((await read(minute.key)).body.error.code).toBe('rate_limited');
  });

  test('401 for a revoked key, 403 without API access, 404 for another method', async () => {
    const revoked = await gateway.customer();
    await gateway.operator('DELETE', `/keys/${revoked.keyId}`);
    expect((await read(revoked.key)).body.error.code).toBe('invalid_api_key');
    const { key } = await gateway.customer({}, { apiAccess: false });
    expect((await read(key)).body.error.code).toBe('tier_not_entitled');
    const customer = await gateway.customer();
    const response = await gateway.call({ method: 'POST', path: '/v1/key', key: customer.key, body: {} });
    expect([response.status, response.body.error.code]).toEqual([404, 'not_found']);
  });
});
