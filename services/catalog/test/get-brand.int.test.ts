import { randomUUID } from 'node:crypto';
import { getBrand } from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Catalog, createBrand, newHost, refusal, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const get = (orgId: string, id: string) => catalog.call('GET', `/orgs/${orgId}/brands/${id}`);

test('200 for an own brand, a competitor and an archived brand; HEAD as well', async () => {
  const orgId = await catalog.createOrg();
  const brand = await createBrand(catalog, orgId, {
    aliases: ['A'],
    competitors: [{ name: 'c', domain: newHost() }],
  });
  const competitor = await get(orgId, brand.competitors[0].id);
  expect(competitor.body.data).toMatchObject({
    is_own: false,
    aliases: [],
    competitors: [],
    last_scan_changed_at: null,
  });
  const archived = await catalog.operator('POST', `/brands/${brand.id}/archive`);
  const read = await get(orgId, brand.id.toUpperCase());
  expect(read.body.data).toMatchObject({
    id: brand.id,
    sunset_at: archived.body.data.sunset_at,
    aliases: ['A'],
  });
  const head = await catalog.call('HEAD', `/orgs/${orgId}/brands/${brand.id}`);
  expect(head.status).toBe(200);
});

test('400 validation_error for an id that is not a UUID', async () => {
  const orgId = await catalog.createOrg();
  expect(refusal(await get(orgId, 'x'))).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'brandId', code: 'invalid_format' }],
  });
});

test('404 not_found for a brand that is not in the organisation', async () => {
  const orgId = await catalog.createOrg();
  const other = await createBrand(catalog, await catalog.createOrg());
  for (const id of [randomUUID(), other.id]) {
    expect(refusal(await get(orgId, id))).toMatchObject({ status: 404, code: 'not_found' });
  }
});

testCommonRefusals(getBrand, () => catalog);
