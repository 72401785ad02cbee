import { randomUUID } from 'node:crypto';
import { operatorRestoreBrand } from '@bv/contract';
import { publishedHeader } from '@bv/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, createBrand, createPrompt, newHost, refusal, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const archive = (id: string) => catalog.operator('POST', `/brands/${id}/archive`);
const restore = (id: string) => catalog.operator('POST', `/brands/${id}/restore`);

test('200: restored and published; a repeated request publishes again, so that it can wait for consumers', async () => {
  const brand = await createBrand(catalog, await catalog.createOrg());
  await archive(brand.id);
  const restored = await restore(brand.id);
  expect(restored.body.data).toMatchObject({ id: brand.id, sunset_at: null });
  expect(restored.headers.has(publishedHeader)).toBe(true);
  expect((await restore(brand.id)).headers.has(publishedHeader)).toBe(true);
});

test('400 validation_error own_brand_only for a competitor, 404 not_found for an unknown brand', async () => {
  const competitors = [{ name: 'c', domain: newHost() }];
  const brand = await createBrand(catalog, await catalog.createOrg(), { competitors });
  expect(refusal(await restore(brand.competitors[0].id))).toMatchObject({
    status: 400,
    details: [{ path: 'brandId', code: 'own_brand_only' }],
  });
  expect(refusal(await restore(randomUUID()))).toMatchObject({ status: 404, code: 'not_found' });
});

describe('422', () => {
  test('brand_cap_exceeded', async () => {
    const orgId = await catalog.createOrg('starter');
    const brand = await createBrand(catalog, orgId);
    await archive(brand.id);
    await createBrand(catalog, orgId);
    expect(refusal(await restore(brand.id))).toEqual({
      status: 422,
      code: 'brand_cap_exceeded',
      details: { tier: 'starter', cap: 1, attempted: 2 },
    });
    const read = await catalog.call('GET', `/orgs/${orgId}/brands/${brand.id}`);
    expect(read.body.data.sunset_at).not.toBeNull();
  });

  test('prompt_cap_exceeded and country_cap_exceeded for the prompts of the restored brand', async () => {
    const orgId = await catalog.createOrg('growth', { prompts: 3, countries: 2 });
    const [one, other] = [await createBrand(catalog, orgId), await createBrand(catalog, orgId)];
    await createPrompt(catalog, { orgId, id: one.id }, { countries: ['US'] });
    await createPrompt(catalog, { orgId, id: one.id }, { countries: ['DE'] });
    await archive(one.id);
    const ownBrand = { orgId, id: other.id };
    const prompts = [
      await createPrompt(catalog, ownBrand, { countries: ['FR'] }),
      await createPrompt(catalog, ownBrand, { countries: ['FR'] }),
    ];
    expect(refusal(await restore(one.id))).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'growth', cap: 3, attempted: 4 },
    });
    await catalog.call('PATCH', `/orgs/${orgId}/prompts/${prompts[0].id}`, { active: false });
    expect(refusal(await restore(one.id))).toEqual({
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
    await catalog.call('PATCH', `/orgs/${orgId}/prompts/${prompts[1].id}`, { active: false });
    expect((await restore(one.id)).status).toBe(200);
  });

  test('20 restores and creates at once never exceed the limit', async () => {
    const orgId = await catalog.createOrg('enterprise');
    const brands: string[] = [];
    for (let index = 0; index < 10; index += 1) brands.push((await createBrand(catalog, orgId)).id);
    for (const id of brands) await archive(id);
    await catalog.operator('PATCH', `/orgs/${orgId}`, { overrides: { own_brands: 4 } });
    await Promise.all([
      ...brands.map(restore),
      ...brands.map(() =>
        catalog.call('POST', `/orgs/${orgId}/properties`, { name: 'x', domain: newHost() }),
      ),
    ]);
    const { body } = await catalog.call('GET', `/orgs/${orgId}`);
    expect(body.data.usage.own_brands).toEqual({ used: 4, limit: 4 });
  });
});

testCommonRefusals(operatorRestoreBrand, () => catalog);
