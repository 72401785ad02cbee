import { operatorArchiveBrand, operatorDeleteOrg, operatorGetOrg, operatorUpdateOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, type Catalog, readPublishedHeader, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorDeleteOrg', () => {
  test('200 once, then 404 not_found everywhere', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const response = await catalog.call(operatorDeleteOrg, { params: { orgId } });
    expect(response.data).toEqual({ id: orgId, deleted: true });
    expect(readPublishedHeader(response)).toEqual([orgChanged]);
    for (const refused of [
      await catalog.call(operatorDeleteOrg, { params: { orgId } }),
      await catalog.call(operatorGetOrg, { params: { orgId } }),
      await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { name: 'x' } }),
      await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } }),
    ]) {
      expect(refused.refusal).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

testCommonRefusals(operatorDeleteOrg, () => catalog);
