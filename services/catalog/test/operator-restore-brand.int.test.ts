import { randomUUID } from 'node:crypto';
import {
  createProperty,
  getBrand,
  getOrg,
  operatorArchiveBrand,
  operatorRestoreBrand,
  operatorUpdateOrg,
  updatePrompt,
} from '@bv/contract';
import { publishedHeader } from '@bv/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const archive = (id: string) => catalog.call(operatorArchiveBrand, { params: { brandId: id } });
const restore = (id: string) => catalog.call(operatorRestoreBrand, { params: { brandId: id } });

test('200: restored and published; a repeated request publishes again, so that it can wait for consumers', async () => {
  const brand = await addBrand(catalog, await catalog.addOrg());
  await archive(brand.id);
  const restored = await restore(brand.id);
  expect(restored.data).toMatchObject({ id: brand.id, sunset_at: null });
  expect(restored.headers.has(publishedHeader)).toBe(true);
  expect((await restore(brand.id)).headers.has(publishedHeader)).toBe(true);
});

test('400 validation_error own_brand_only for a competitor, 404 not_found for an unknown brand', async () => {
  const competitors = [{ name: 'c', domain: newHost() }];
  const brand = await addBrand(catalog, await catalog.addOrg(), { competitors });
  expect((await restore(brand.competitors[0]!.id)).refusal).toMatchObject({
    status: 400,
    details: [{ path: 'brandId', code: 'own_brand_only' }],
  });
  expect((await restore(randomUUID())).refusal).toMatchObject({ status: 404, code: 'not_found' });
});

describe('422', () => {
  test('brand_cap_exceeded', async () => {
    const orgId = await catalog.addOrg('starter');
    const brand = await addBrand(catalog, orgId);
    await archive(brand.id);
    await addBrand(catalog, orgId);
    expect((await restore(brand.id)).refusal).toEqual({
      status: 422,
      code: 'brand_cap_exceeded',
      details: { tier: 'starter', cap: 1, attempted: 2 },
    });
    const read = await catalog.call(getBrand, { params: { orgId, brandId: brand.id } });
    expect(read.data.sunset_at).not.toBeNull();
  });

  test('prompt_cap_exceeded and country_cap_exceeded for the prompts of the restored brand', async () => {
    const orgId = await catalog.addOrg('growth', { prompts: 3, countries: 2 });
    const [one, other] = [await addBrand(catalog, orgId), await addBrand(catalog, orgId)];
    await addPrompt(catalog, { orgId, brandId: one.id }, { countries: ['US'] });
    await addPrompt(catalog, { orgId, brandId: one.id }, { countries: ['DE'] });
    await archive(one.id);
    const ownBrand = { orgId, brandId: other.id };
    const first = await addPrompt(catalog, ownBrand, { countries: ['FR'] });
    const second = await addPrompt(catalog, ownBrand, { countries: ['FR'] });
    expect((await restore(one.id)).refusal).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'growth', cap: 3, attempted: 4 },
    });
    await catalog.call(updatePrompt, { params: { orgId, promptId: first.id }, body: { active: false } });
    expect((await restore(one.id)).refusal).toEqual({
      status: 422,
      code: 'country_cap_exceeded',
      details: {
        tier: 'growth',
        cap: 2,
        attempted: 3,
        countries_in_use: ['FR'],
        countries_requested: ['DE', 'US'],
      },
    });
    await catalog.call(updatePrompt, { params: { orgId, promptId: second.id }, body: { active: false } });
    expect((await restore(one.id)).status).toBe(200);
  });

  test('20 restores and creates at once never exceed the limit', async () => {
    const orgId = await catalog.addOrg('enterprise');
    const brands: string[] = [];
    for (let index = 0; index < 10; index += 1) brands.push((await addBrand(catalog, orgId)).id);
    for (const id of brands) await archive(id);
    await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { overrides: { own_brands: 4 } } });
    await Promise.all([
      ...brands.map(restore),
      ...brands.map(() =>
        catalog.call(createProperty, { params: { orgId }, body: { name: 'x', domain: newHost() } }),
      ),
    ]);
    const { data } = await catalog.call(getOrg, { params: { orgId } });
    expect(data.usage.own_brands).toEqual({ used: 4, limit: 4 });
  });
});

testCommonRefusals(operatorRestoreBrand, () => catalog);
