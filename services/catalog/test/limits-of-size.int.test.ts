import { getOrg, operatorCreateOrg, operatorUpdateOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const readLimit = async (orgId: string): Promise<unknown> => {
  const { data } = await catalog.call(getOrg, { params: { orgId } });
  return data.usage.competitors_per_brand.limit;
};

describe('limits of size: competitors per brand', () => {
  test.each([251, 1_000, 2_000_000_000])('an override of %d is 400 validation_error', async (limit) => {
    const overrides = { competitors_per_brand: limit };
    const orgId = await catalog.addOrg('enterprise');
    for (const response of [
      await catalog.call(operatorCreateOrg, { body: { name: 'Acme', tier: 'enterprise', overrides } }),
      await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { overrides } }),
    ]) {
      expect(response.refusal).toEqual({
        status: 400,
        code: 'validation_error',
        details: [{ path: 'overrides.competitors_per_brand', code: 'too_big', message: expect.any(String) }],
      });
    }
    expect(await readLimit(orgId)).toBe(250);
  });

  test('usage shows 250 for the highest plan and override, never null', async () => {
    expect(await readLimit(await catalog.addOrg('enterprise'))).toBe(250);
    expect(await readLimit(await catalog.addOrg('starter', { competitors_per_brand: 250 }))).toBe(250);
    expect(await readLimit(await catalog.addOrg('growth', { competitors_per_brand: null }))).toBe(250);
    expect(await readLimit(await catalog.addOrg('enterprise', { competitors_per_brand: 0 }))).toBe(0);
  });
});
