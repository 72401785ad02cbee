import { randomUUID } from 'node:crypto';
import { operatorArchiveBrand } from '@bv/contract';
import { publishedHeader } from '@bv/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const archive = (id: string) => catalog.call(operatorArchiveBrand, { params: { brandId: id } });

test('200: archived and published; a repeated request changes nothing and publishes again, so that it can wait', async () => {
  const brand = await addBrand(catalog, await catalog.addOrg());
  const archived = await archive(brand.id);
  expect(archived.data).toMatchObject({ id: brand.id, sunset_at: expect.any(String) });
  expect(archived.headers.has(publishedHeader)).toBe(true);
  const again = await archive(brand.id);
  expect(again.data).toEqual(archived.data);
  expect(again.headers.has(publishedHeader)).toBe(true);
});

test('400 validation_error own_brand_only for a competitor', async () => {
  const competitors = [{ name: 'c', domain: newHost() }];
  const brand = await addBrand(catalog, await catalog.addOrg(), { competitors });
  expect((await archive(brand.competitors[0]!.id)).refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'brandId', code: 'own_brand_only' }],
  });
});

test('404 not_found', async () => {
  expect((await archive(randomUUID())).refusal).toMatchObject({ status: 404, code: 'not_found' });
});

testCommonRefusals(operatorArchiveBrand, () => catalog);
