import { randomUUID } from 'node:crypto';
import { operatorArchiveBrand, operatorDeleteOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addOrgWithBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { createSync, row, rows } from './sync.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const { sync, activeTexts } = createSync(() => catalog);

describe('400', () => {
  test('duplicate_prompt_text before anything is written', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const response = await sync(ownBrand, rows('One', 'Two', ' ONE', 'two ', 'three'));
    expect(response.refusal).toEqual({
      status: 400,
      code: 'duplicate_prompt_text',
      details: { texts: ['One', 'Two'] },
    });
    expect(await activeTexts(ownBrand)).toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ['invalid_type', 'prompts', {}],
    ['invalid_type', 'prompts', { prompts: null }],
    ['too_big', 'prompts', { prompts: Array.from({ length: 1001 }, (_, index) => row(`p${index}`)) }],
    ['invalid_type', 'deactivate_missing', { prompts: [], deactivate_missing: 'no' }],
    [
      'unsupported_country',
      'prompts.1.countries.1',
      { prompts: [row('a'), row('b', { countries: ['us', 'uk', 'US'] })] },
    ],
    ['too_small', 'prompts.0.countries', { prompts: [row('a', { countries: [] })] }],
    ['too_small', 'prompts.0.text', { prompts: [row(' ')] }],
  ])('validation_error %s at %s (case %#)', async (code, path, body) => {
    const ownBrand = await addOrgWithBrand(catalog);
    const response = await sync(ownBrand, body);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('validation_error for one bad row of 1,000: nothing is written', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    const prompts = Array.from({ length: 1_000 }, (_, index) => row(`p${index}`));
    prompts[998] = row('bad', { platforms: ['bing'] });
    const response = await sync(ownBrand, { prompts });
    expect(response.error.details).toEqual([
      { path: 'prompts.998.platforms.0', code: 'invalid_value', message: expect.any(String) },
    ]);
    expect(await activeTexts(ownBrand)).toEqual([]);
  });

  test('validation_error own_brand_only for a competitor', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const response = await sync({ orgId, brandId: brand.competitors[0]!.id }, rows('a'));
    expect(response.refusal).toMatchObject({
      status: 400,
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});

test('404 not_found for a brand that is not in the organisation', async () => {
  const ownBrand = await addOrgWithBrand(catalog);
  const other = await addOrgWithBrand(catalog);
  for (const id of [randomUUID(), other.brandId]) {
    expect((await sync({ orgId: ownBrand.orgId, brandId: id }, rows('a'))).refusal).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  }
  await catalog.call(operatorDeleteOrg, { params: { orgId: ownBrand.orgId } });
  expect((await sync(ownBrand, rows('a'))).refusal).toMatchObject({ status: 404, code: 'not_found' });
});

test('409 brand_archived for the whole body', async () => {
  const ownBrand = await addOrgWithBrand(catalog);
  await catalog.call(operatorArchiveBrand, { params: { brandId: ownBrand.brandId } });
  for (const body of [rows('a'), { prompts: [] }]) {
    expect((await sync(ownBrand, body)).refusal).toEqual({
      status: 409,
      code: 'brand_archived',
      details: { brand_id: ownBrand.brandId },
    });
  }
});
