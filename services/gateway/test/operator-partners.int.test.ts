import { randomUUID } from 'node:crypto';
import type { KeyUsage, Partner } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const listEvents = async (aggregateId: string) =>
  (
    await gateway.sql.query(
      `select type, version, sent_at is not null as sent, envelope->'data' as data from outbox
       where aggregate_id = $1 order by version`,
      [aggregateId],
    )
  ).rows;

describe('operatorCreatePartner, operatorUpdatePartner', () => {
  test('201 and 200: each publishes the complete partner with a higher version before the response', async () => {
    const created = await gateway.operator<Partner>('POST', '/partners', { name: ' Reseller ' });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ name: 'Reseller', status: 'active' });
    const { id } = created.body.data;
    const updated = await gateway.operator('PATCH', `/partners/${id}`, { status: 'suspended' });
    expect([updated.status, updated.body.data.status]).toEqual([200, 'suspended']);
    const events = await listEvents(id);
    expect(events.map(({ version, sent, data }) => [Number(version), sent, data.status])).toEqual([
      [1, true, 'active'],
      [2, true, 'suspended'],
    ]);
  });

  test('400 validation_error, 400 invalid_json and 404 not_found', async () => {
    expect((await gateway.operator('POST', '/partners', { name: ' ' })).body.error.code).toBe(
      'validation_error',
    );
    expect((await gateway.operator('POST', '/partners', '{')).body.error.code).toBe('invalid_json');
    const unknown = await gateway.operator('PATCH', `/partners/${randomUUID()}`, { status: 'active' });
    expect(unknown.body.error.code).toBe('not_found');
    const wrong = await gateway.operator('PATCH', `/partners/${randomUUID()}`, { status: 'gone' });
    expect(wrong.body.error.code).toBe('validation_error');
  });
});

describe('operatorPutLink, operatorDeleteLink', () => {
  test('200: created, changed, revoked, created again; an omitted reference stays while the link is active', async () => {
    const partnerId = await gateway.createPartner();
    const orgId = await gateway.createOrg();
    const path = `/partners/${partnerId}/links/${orgId}`;
    const made = await gateway.operator('PUT', path, { scope: 'read_only', external_ref: 'x-1' });
    expect([made.status, made.body.data]).toEqual([
      200,
      {
        partner_id: partnerId,
        org_id: orgId,
        scope: 'read_only',
        external_ref: 'x-1',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const changed = await gateway.operator('PUT', path, { scope: 'read_write' });
    expect(changed.body.data).toMatchObject({ scope: 'read_write', external_ref: 'x-1' });
    const removed = await gateway.operator('DELETE', path);
    expect(removed.body).toEqual({ data: { id: orgId, deleted: true } });
    expect((await gateway.operator('DELETE', path)).body.error.code).toBe('not_found');
    const anew = await gateway.operator('PUT', path, { scope: 'read_only' });
    expect(anew.body.data.external_ref).toBeNull();
    const events = await listEvents(`${partnerId}:${orgId}`);
    expect(events.map(({ version, data }) => [Number(version), data.active, data.scope])).toEqual([
      [1, true, 'read_only'],
      [2, true, 'read_write'],
      [3, false, 'read_write'],
      [4, true, 'read_only'],
    ]);
  });

  test('404 not_found: unknown partner or organisation; 503 api_unavailable while catalog is silent', async () => {
    const orgId = await gateway.createOrg();
    const stranger = await gateway.operator('PUT', `/partners/${randomUUID()}/links/${orgId}`, {
      scope: 'read_only',
    });
    expect(stranger.body.error.code).toBe('not_found');
    const partnerId = await gateway.createPartner();
    const unasked = await gateway.operator('PUT', `/partners/${partnerId}/links/${randomUUID()}`, {
      scope: 'read_only',
    });
    expect([unasked.status, unasked.body.error.code, unasked.headers['retry-after']]).toEqual([
      503,
      'api_unavailable',
      '5',
    ]);
  });

  test('400 validation_error: scope owner cannot be granted', async () => {
    const path = `/partners/${await gateway.createPartner()}/links/${await gateway.createOrg()}`;
    expect((await gateway.operator('PUT', path, { scope: 'owner' })).body.error.code).toBe(
      'validation_error',
    );
  });
});

describe('operatorListUsage', () => {
  test('200: what was charged this month, a row a key', async () => {
    const { key, keyId, orgId } = await gateway.customer({ monthly_quota: 1_000 });
    for (let index = 0; index < 3; index += 1) await gateway.call({ path: '/v1/orgs', key });
    await gateway.call({ path: '/v1/nowhere', key });
    const { body } = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=200');
    expect(body.data.find(({ key_id }) => key_id === keyId)).toEqual({
      key_id: keyId,
      key_prefix: key.slice(0, 12),
      owner_kind: 'organisation',
      owner_id: orgId,
      month: new Date().toISOString().slice(0, 7),
      used: 4,
      quota: 1_000,
    });
  });
});
