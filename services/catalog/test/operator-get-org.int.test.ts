import { randomUUID } from 'node:crypto';
import { operatorGetOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, type Catalog, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

describe('operatorGetOrg', () => {
  test('200 with usage, 404 not_found', async () => {
    const orgId = await catalog.addOrg('growth');
    await addBrand(catalog, orgId);
    const { data } = await catalog.call(operatorGetOrg, { params: { orgId } });
    expect(data).toMatchObject({
      id: orgId,
      tier: 'growth',
      overrides: {},
      usage: { own_brands: { used: 1, limit: 3 } },
    });
    expect((await catalog.call(operatorGetOrg, { params: { orgId: randomUUID() } })).refusal).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

testCommonRefusals(operatorGetOrg, () => catalog);
