import { randomUUID } from 'node:crypto';
import type { ApiKey, MintedApiKey, Organisation } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCatalogEvents, type CatalogEvents } from './catalog-events.ts';
import { send } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
let catalog: CatalogEvents;
beforeAll(async () => {
  gateway = await startGateway();
  catalog = await startCatalogEvents(gateway.nats.url);
});
afterAll(async () => {
  await catalog.stop();
  await gateway.stop();
});

const mint = (orgId: string, input: object = { scopes: ['read'] }) =>
  gateway.operator<MintedApiKey>('POST', `/orgs/${orgId}/keys`, input);

describe('operatorCreateOrgKey', () => {
  test('201: the whole key once, its defaults, and nothing of it in the database', async () => {
    const orgId = await gateway.createOrg();
    const { status, body } = await mint(orgId, {});
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      name: null,
      key: expect.stringMatching(/^bvk_live_[0-9A-Za-z]{43}$/),
      key_prefix: body.data.key.slice(0, 12),
      scopes: ['read'],
      per_minute: 120,
      monthly_quota: null,
      expires_at: null,
      revoked_at: null,
      created_at: expect.any(String),
    });
    const { rows } = await gateway.sql.query('select * from api_keys where id = $1', [body.data.id]);
    expect(JSON.stringify(rows)).not.toContain(body.data.key.slice(12));
    expect(rows[0].key_hash).toHaveLength(32);
  });

  test('201 for an organisation whose event has not arrived: it is requested from catalog', async () => {
    const org = catalog.know({ name: 'Brand new' });
    const { status, body } = await mint(org.id);
    expect(status).toBe(201);
    const orgs = await gateway.call<Organisation[]>({ path: '/v1/orgs', key: body.data.key });
    expect(orgs.body.data[0]?.name).toBe('Brand new');
  });

  test('409 key_limit_reached: of 20 at once five are minted; revoked and expired ones do not count', async () => {
    const orgId = await gateway.createOrg();
    await gateway.expireKey((await mint(orgId)).body.data.id);
    const responses = await Promise.all(Array.from({ length: 20 }, () => mint(orgId)));
    const minted = responses.filter(({ status }) => status === 201);
    expect(minted).toHaveLength(5);
    const refused = responses.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['key_limit_reached']));
    await gateway.operator('DELETE', `/keys/${minted[0]?.body.data.id}`);
    expect((await mint(orgId)).status).toBe(201);
    expect((await mint(orgId)).status).toBe(409);
  });

  test('400 validation_error: scopes without read, numbers out of bounds', async () => {
    const orgId = await gateway.createOrg();
    for (const [input, path] of [
      [{ scopes: ['write'] }, 'scopes'],
      [{ per_minute: 0 }, 'per_minute'],
      [{ monthly_quota: -1 }, 'monthly_quota'],
      [{ expires_at: 'soon' }, 'expires_at'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ] as const) {
      const { status, body } = await mint(orgId, input);
      expect([status, body.error.code, body.error.details[0]?.path]).toEqual([400, 'validation_error', path]);
    }
  });

  test('404 not_found: an unknown organisation, a deleted one', async () => {
    expect((await mint(randomUUID())).body.error.code).toBe('not_found');
    const org = catalog.know({ deleted_at: new Date().toISOString() });
    expect((await mint(org.id)).body.error.code).toBe('not_found');
  });
});

test('operatorGetKey 200 with its owner, also when revoked; 404 for an unknown key', async () => {
  const orgId = await gateway.createOrg();
  const { id, key } = (await mint(orgId, { name: 'Production' })).body.data;
  await gateway.operator('DELETE', `/keys/${id}`);
  const { status, body } = await gateway.operator('GET', `/keys/${id}`);
  const owner = { owner_kind: 'organisation', owner_id: orgId, owner_name: 'Acme' };
  expect([status, body.data]).toEqual([200, expect.objectContaining({ id, name: 'Production', ...owner })]);
  expect(body.data.revoked_at).not.toBeNull();
  expect(JSON.stringify(body)).not.toContain(key.slice(12));
  const partnerId = await gateway.createPartner();
  const ofPartner = await gateway.createPartnerKey(partnerId);
  expect((await gateway.operator('GET', `/keys/${ofPartner.id}`)).body.data).toMatchObject({
    owner_kind: 'partner',
    owner_id: partnerId,
    owner_name: 'Reseller',
  });
  expect((await gateway.operator('GET', `/keys/${randomUUID()}`)).body.error.code).toBe('not_found');
});

describe('operatorListOrgKeys, operatorRevokeKey', () => {
  test('200: pages by id without the keys themselves; revocation shows, twice is the same', async () => {
    const orgId = await gateway.createOrg();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await mint(orgId)).body.data.id);
    const revoked = await gateway.operator('DELETE', `/keys/${ids[0]}`);
    expect([revoked.status, revoked.body]).toEqual([200, { data: { id: ids[0], deleted: true } }]);
    const first = await gateway.operator<ApiKey[]>('GET', `/orgs/${orgId}/keys?limit=2`);
    const rest = await gateway.operator<ApiKey[]>(
      'GET',
      `/orgs/${orgId}/keys?limit=2&cursor=${first.body.pagination.next_cursor}`,
    );
    const rows = [...first.body.data, ...rest.body.data];
    expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
    expect(JSON.stringify(rows)).not.toContain('"key":');
    const before = rows.find(({ id }) => id === ids[0])?.revoked_at;
    expect(before).toEqual(expect.any(String));
    expect((await gateway.operator('DELETE', `/keys/${ids[0]}`)).status).toBe(200);
  });

  test('404 not_found and 400 validation_error', async () => {
    expect((await gateway.operator('DELETE', `/keys/${randomUUID()}`)).body.error.code).toBe('not_found');
    expect((await gateway.operator('DELETE', '/keys/1')).body.error.code).toBe('validation_error');
    expect((await gateway.operator('GET', `/orgs/${randomUUID()}/keys`)).body.error.code).toBe('not_found');
  });
});

describe('operatorCreatePartnerKey, operatorListPartnerKeys', () => {
  test('201 without the limit of five, listed by id', async () => {
    const partnerId = await gateway.createPartner();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.push((await gateway.createPartnerKey(partnerId)).id);
    const { body } = await gateway.operator<ApiKey[]>('GET', `/partners/${partnerId}/keys`);
    expect(body.data.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  test('404 not_found: an unknown partner', async () => {
    const path = `/partners/${randomUUID()}/keys`;
    expect((await gateway.operator('POST', path, {})).body.error.code).toBe('not_found');
    expect((await gateway.operator('GET', path)).body.error.code).toBe('not_found');
  });
});

describe('the token', () => {
  test('401 invalid_operator_token: missing, wrong, a customer key; before anything else', async () => {
    const { key } = await gateway.customer();
    for (const authorization of ['', 'Bearer wrong', `Bearer ${key}`, 'Basic dGVzdA==']) {
      for (const path of ['/operator/v1/orgs', '/operator/v1/nowhere']) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization };
        const { status, body } = await send(gateway.operatorPort, { path, headers });
        expect([status, body.error.code]).toEqual([401, 'invalid_operator_token']);
      }
    }
    const wrong = await gateway.call({ path: '/v1/orgs', key: 'test-operator-token' });
    expect(wrong.body.error.code).toBe('invalid_api_key');
  });

  test('404 not_found: the public API is not on this listener', async () => {
    expect((await gateway.operator('GET', '/nowhere')).body.error.code).toBe('not_found');
  });
});
