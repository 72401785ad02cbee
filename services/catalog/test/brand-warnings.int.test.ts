import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getBrand, linkCompetitor, updateBrand } from '@bv/contract';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

type Brand = { warnings: readonly { field: string; value: string; language?: string | undefined }[] };
const toWords = ({ warnings }: Brand) =>
  warnings.map(({ field, value, language }) => [field, value, language].join(' '));
const read = async (orgId: string, brandId: string) =>
  (await catalog.call(getBrand, { params: { orgId, brandId } })).data;

test('warnings at creation, in every detail and at linking, until a rule tells brand and word apart', async () => {
  const orgId = await catalog.addOrg();
  const brand = await addBrand(catalog, orgId, {
    name: 'Target',
    aliases: ['Target Corporation', 'zoom', 'target.com'],
    competitors: [
      { name: 'Monday', domain: newHost() },
      { name: 'Slack', domain: newHost(), match: { verify: true } },
    ],
  });
  expect(brand.warnings[0]).toEqual({
    code: 'common_word',
    field: 'name',
    value: 'Target',
    language: 'en',
    message: expect.stringMatching(/^"Target" is an ordinary word in English\. Set match\./),
  });
  expect(toWords(brand)).toEqual(['name Target en', 'aliases zoom en']);
  expect(brand.competitors.map(toWords)).toEqual([['name Monday en'], []]);
  const { markets: _, ...detail } = brand;
  expect(await read(orgId, brand.id)).toEqual(detail);

  const params = { orgId, brandId: brand.id };
  const { data: linked } = await catalog.call(linkCompetitor, {
    params,
    body: { name: 'Globex', domain: newHost(), aliases: ['Notion'] },
  });
  expect(toWords(linked)).toEqual(['aliases Notion en']);

  const change = async (body: object) => toWords((await catalog.call(updateBrand, { params, body })).data);
  expect(await change({ match: { exclude: ['target audience'] } })).toHaveLength(0);
  expect(await change({ match: { case_sensitive: true } })).toEqual([]);
  expect(await change({ match: {} })).toHaveLength(2);
  expect(await change({ aliases: [], name: 'Target Stores' })).toEqual([]);
});

test('languages: all configured markets before the first prompt, then those of the active prompts', async () => {
  const orgId = await catalog.addOrg();
  const brand = await addBrand(catalog, orgId, { aliases: ['Oggi', 'Brot', 'target'] });
  expect(toWords(brand)).toEqual(['aliases Oggi it', 'aliases Brot de', 'aliases target en']);
  await addPrompt(catalog, { orgId, brandId: brand.id }, { countries: ['AT'] });
  expect(toWords(await read(orgId, brand.id))).toEqual(['aliases Brot de', 'aliases target en']);
});

test('a name inside a name of a brand that is tracked together with it', async () => {
  const orgId = await catalog.addOrg();
  const brand = await addBrand(catalog, orgId, { name: 'Acmeco', aliases: ['Acmeco Cloud Pro'] });
  const { data: linked } = await catalog.call(linkCompetitor, {
    params: { orgId, brandId: brand.id },
    body: { name: 'Acmeco Cloud', domain: newHost() },
  });
  expect(toWords(linked)).toEqual(['name Acmeco Cloud und']);
  const detail = await read(orgId, brand.id);
  expect(toWords(detail)).toEqual(['name Acmeco und']);
  expect(detail.warnings).toMatchObject([{ code: 'inside_other_name', other_brand_id: linked.id }]);
  expect(detail.competitors.map(toWords)).toEqual([toWords(linked)]);
  expect(toWords(await read(orgId, linked.id))).toEqual([]);
});
