import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const patch = (orgId: string, key: string, body: unknown, headers = {}) =>
  gateway.call({ method: 'PATCH', path: `/v1/orgs/${orgId}/link`, key, body, headers });

describe('200', () => {
  test('sets and clears the reference, tells of it, and shows it in the list', async () => {
    const { orgId, partnerId, key } = await gateway.reseller();
    const set = await patch(orgId, key, { external_ref: 'customer-7', ignored: true });
    expect(set.status).toBe(200);
    expect(set.body.data).toEqual({
      id: orgId,
      name: 'Acme',
      link_scope: 'read_write',
      external_ref: 'customer-7',
      created_at: expect.any(String),
    });
    const { body } = await gateway.call({ path: '/v1/orgs', key });
    expect(body.data).toEqual([set.body.data]);
    expect((await patch(orgId, key, { external_ref: null })).body.data.external_ref).toBeNull();
    const { rows } = await gateway.sql.query(
      `select version, envelope->'data' as data from outbox where aggregate_id = $1 order by version`,
      [`${partnerId}:${orgId}`],
    );
    expect(rows.map(({ version }) => Number(version))).toEqual([1, 2, 3]);
    expect(rows.map(({ data }) => data.external_ref)).toEqual([null, 'customer-7', null]);
  });

  test('with an Idempotency-Key it is done once, also when the gateway lost the response', async () => {
    const { orgId, partnerId, key } = await gateway.reseller();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await patch(orgId, key, { external_ref: 'a' }, headers);
    // As after a crash between the commit and the store.
    await gateway.sql.query(
      `update idempotency_keys set completed_at = null, status = null, body = null, key_id = null,
         content_type = null, lease_expires_at = now() where key = $1`,
      [headers['idempotency-key']],
    );
    const retry = await patch(orgId, key, { external_ref: 'a' }, headers);
    expect([retry.status, retry.text]).toEqual([200, first.text]);
    const { rows } = await gateway.sql.query('select version from partner_links where partner_id = $1', [
      partnerId,
    ]);
    expect(rows).toEqual([{ version: '2' }]);
  });
});

describe('400', () => {
  test('validation_error: missing, empty, too long, of another type; 255 code points pass', async () => {
    const { orgId, key } = await gateway.reseller();
    const getCode = async (body: unknown) => {
      const [detail] = (await patch(orgId, key, body)).body.error.details;
      return [detail?.path, detail?.code];
    };
    expect(await getCode({})).toEqual(['external_ref', expect.any(String)]);
    expect(await getCode({ external_ref: '' })).toEqual(['external_ref', 'too_small']);
    expect(await getCode({ external_ref: 'x'.repeat(256) })).toEqual(['external_ref', 'too_big']);
    expect(await getCode({ external_ref: 7 })).toEqual(['external_ref', expect.any(String)]);
    expect((await patch(orgId, key, { external_ref: '😀'.repeat(255) })).status).toBe(200);
  });

  test('invalid_json', async () => {
    const { orgId, key } = await gateway.reseller();
    expect((await patch(orgId, key, '{')).body.error.code).toBe('invalid_json');
  });
});

describe('403 and 404', () => {
  test('partner_only: an organisation key, after the write rule', async () => {
    const { orgId, key } = await gateway.customer();
    expect((await patch(orgId, key, { external_ref: 'x' })).body.error.code).toBe('partner_only');
  });

  test('not_found: an organisation that is not linked', async () => {
    const { key } = await gateway.reseller();
    expect((await patch(await gateway.createOrg(), key, { external_ref: 'x' })).body.error.code).toBe(
      'not_found',
    );
  });
});
