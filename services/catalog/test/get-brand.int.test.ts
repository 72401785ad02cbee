import { randomUUID } from 'node:crypto';
import { getBrand, operatorArchiveBrand } from '@bv/contract';
import { testCaller } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const get = (orgId: string, id: string) => catalog.call(getBrand, { params: { orgId, brandId: id } });

test('200 for an own brand, a competitor and an archived brand; HEAD as well', async () => {
  const orgId = await catalog.addOrg();
  const brand = await addBrand(catalog, orgId, {
    aliases: ['A'],
    competitors: [{ name: 'c', domain: newHost() }],
  });
  const competitor = await get(orgId, brand.competitors[0]!.id);
  expect(competitor.data).toMatchObject({
    is_own: false,
    aliases: [],
    competitors: [],
    last_scan_changed_at: null,
  });
  const archived = await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
  const read = await get(orgId, brand.id.toUpperCase());
  expect(read.data).toMatchObject({
    id: brand.id,
    sunset_at: archived.data.sunset_at,
    aliases: ['A'],
  });
  const head = await catalog.send({
    method: 'HEAD',
    path: `/v1/orgs/${orgId}/brands/${brand.id}`,
    caller: testCaller({ orgId }),
  });
  expect(head.status).toBe(200);
});

test('400 validation_error for an id that is not a UUID', async () => {
  const orgId = await catalog.addOrg();
  expect((await get(orgId, 'x')).refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'brandId', code: 'invalid_format' }],
  });
});

test('404 not_found for a brand that is not in the organisation', async () => {
  const orgId = await catalog.addOrg();
  const other = await addBrand(catalog, await catalog.addOrg());
  for (const id of [randomUUID(), other.id]) {
    expect((await get(orgId, id)).refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
});

testCommonRefusals(getBrand, () => catalog);
