import { readFile } from 'node:fs/promises';
import { getOrg, operatorCreateOrg, operatorGetOrg, operatorUpdateOrg } from '@bv/contract';
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

  test('existing data: an unlimited or higher override becomes 250', async () => {
    const orgs = await Promise.all([catalog.addOrg(), catalog.addOrg(), catalog.addOrg()]);
    await catalog.sql.query(`
      alter table tiers alter column competitors_per_brand drop not null,
        drop constraint tiers_competitors_per_brand_highest;
      update tiers set competitors_per_brand = null where name = 'enterprise';
      update tiers set competitors_per_brand = 1000 where name = 'scale'`);
    const before = [
      { competitors_per_brand: null },
      { competitors_per_brand: 900, prompts: 7 },
      { prompts: 8 },
    ];
    for (const [index, overrides] of before.entries()) {
      await catalog.sql.query('update orgs set overrides = $2 where id = $1', [orgs[index], overrides]);
    }
    const migration = new URL('../migrations/0010_competitor_limit.sql', import.meta.url);
    await catalog.sql.query(await readFile(migration, 'utf8'));

    const tiers = await catalog.sql.query('select name, competitors_per_brand from tiers');
    expect(Object.fromEntries(tiers.rows.map((row) => [row.name, row.competitors_per_brand]))).toEqual({
      starter: 3,
      growth: 5,
      scale: 250,
      enterprise: 250,
    });
    const after = await Promise.all(
      orgs.map((id) => catalog.call(operatorGetOrg, { params: { orgId: id } })),
    );
    expect(after.map(({ data }) => data.overrides)).toEqual([
      { competitors_per_brand: 250 },
      { competitors_per_brand: 250, prompts: 7 },
      { prompts: 8 },
    ]);
    await expect(
      catalog.sql.query(`update tiers set competitors_per_brand = 251 where name = 'scale'`),
    ).rejects.toThrow('tiers_competitors_per_brand_highest');
  });
});
