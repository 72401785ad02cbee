import type { KeyUsage } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const month = new Date().toISOString().slice(0, 7);
const list = async (query: string): Promise<KeyUsage[]> =>
  (await gateway.operator<KeyUsage[]>('GET', `/usage?${query}`)).body.data;
const keyIds = async (query: string): Promise<string[]> => (await list(query)).map(({ key_id }) => key_id);

describe('operatorListUsage', () => {
  test('200: what was charged this month, a row a key, with names', async () => {
    const { key, keyId, orgId } = await gateway.customer({ monthly_quota: 1_000, name: 'Production' });
    for (let index = 0; index < 3; index += 1) await gateway.call({ path: '/v1/orgs', key });
    await gateway.call({ path: '/v1/nowhere', key });
    expect(await list(`org_id=${orgId}`)).toEqual([
      {
        key_id: keyId,
        key_prefix: key.slice(0, 12),
        key_name: 'Production',
        owner_kind: 'organisation',
        owner_id: orgId,
        owner_name: 'Acme',
        month,
        used: 4,
        quota: 1_000,
      },
    ]);
  });

  test('200: by owner, name, month and use; the cursor keeps them', async () => {
    const { keyId, orgId } = await gateway.customer({ name: 'Reports' });
    const second = await gateway.createOrgKey(orgId, { name: 'Exports' });
    await gateway.call({ path: '/v1/orgs', key: second.key });
    const partnerId = await gateway.createPartner();
    const ofPartner = await gateway.createPartnerKey(partnerId, { name: 'Exports' });
    expect(await keyIds(`org_id=${orgId}`)).toEqual([keyId, second.id].toSorted());
    expect(await keyIds(`partner_id=${partnerId}`)).toEqual([ofPartner.id]);
    expect(await keyIds('key_name=Exports')).toEqual([second.id, ofPartner.id].toSorted());
    expect(await keyIds(`org_id=${orgId}&used=true`)).toEqual([second.id]);
    expect(await keyIds(`org_id=${orgId}&used=false`)).toEqual([keyId]);
    const past = await list(`org_id=${orgId}&month=2025-01`);
    expect(past.map(({ used, month: of }) => [used, of])).toEqual([
      [0, '2025-01'],
      [0, '2025-01'],
    ]);
    const path = `/usage?key_name=Exports&month=${month}&limit=1`;
    const first = await gateway.operator<KeyUsage[]>('GET', path);
    const rest = await keyIds(`limit=1&cursor=${first.body.pagination.next_cursor}`);
    expect([first.body.data[0]?.key_id, ...rest]).toEqual([second.id, ofPartner.id].toSorted());
  });

  test('400: a month that is none, another month than the cursor', async () => {
    for (const bad of ['2026-13', '2026', 'now']) {
      const { body } = await gateway.operator('GET', `/usage?month=${bad}`);
      expect(body.error.details[0]).toMatchObject({ path: 'month', code: 'invalid_format' });
    }
    const first = await gateway.operator<KeyUsage[]>('GET', '/usage?limit=1');
    const query = `month=2025-01&cursor=${first.body.pagination.next_cursor}`;
    expect((await gateway.operator('GET', `/usage?${query}`)).body.error).toMatchObject({
      code: 'invalid_cursor',
      details: { reason: 'filter_changed', parameter: 'month' },
    });
  });
});
