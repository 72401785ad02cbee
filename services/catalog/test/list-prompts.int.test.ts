import { randomUUID } from 'node:crypto';
import { listBrands, listPrompts, operatorArchiveBrand } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let one: string;
let other: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg('enterprise');
  one = (await addBrand(catalog, orgId)).id;
  other = (await addBrand(catalog, orgId)).id;
  await addPrompt(
    catalog,
    { orgId, brandId: one },
    { text: 'a', tags: ['x', 'y'], countries: ['US'], platforms: ['claude'] },
  );
  await addPrompt(catalog, { orgId, brandId: other }, { text: 'b', tags: ['y'], countries: ['US', 'DE'] });
  await addPrompt(
    catalog,
    { orgId, brandId: one },
    { text: 'c', countries: ['DE'], platforms: ['gemini', 'claude'], active: false },
  );
  await addPrompt(
    catalog,
    { orgId, brandId: one },
    { text: 'd', tags: ['x'], countries: ['FR'], platforms: ['gemini'] },
  );
});
afterAll(() => catalog.stop());

const list = (query = '', org = orgId) => catalog.call(listPrompts, { params: { orgId: org }, query });
const texts = ({ data }: Awaited<ReturnType<typeof list>>): string => data.map(({ text }) => text).join('');

describe('200', () => {
  test('all prompts, active or not, oldest first', async () => {
    expect(texts(await list())).toBe('abcd');
  });

  test.each([
    ['brand_id', () => `brand_id=${one}`, 'acd'],
    ['brand_id in upper case', () => `brand_id=${other.toUpperCase()}`, 'b'],
    ['an unknown brand_id', () => `brand_id=${randomUUID()}`, ''],
    ['active', () => 'active=true', 'abd'],
    ['inactive', () => 'active=false', 'c'],
    ['tag', () => 'tag=%20x%20', 'ad'],
    ['platform', () => 'platform=gemini', 'bcd'],
    ['country, trimmed and in any case', () => 'country=%20de', 'bc'],
    ['a country without prompts', () => 'country=Atlantis', ''],
    ['all of them', () => `brand_id=${one}&active=true&tag=x&platform=claude&country=US`, 'a'],
  ])('filtered by %s', async (_, query, expected) => {
    expect(texts(await list(query()))).toBe(expected);
  });

  test.each([1, 2, 3])('filtered pages of %i return every row once, with the cursor alone', async (limit) => {
    let response = await list(`limit=${limit}&platform=gemini&country=de`);
    let collected = texts(response);
    while (response.pagination.has_more) {
      response = await list(`limit=${limit}&cursor=${response.pagination.next_cursor}`);
      collected += texts(response);
    }
    expect(collected).toBe('bc');
    expect(response.pagination.next_cursor).toBeNull();
  });

  test('prompts of archived brands stay readable', async () => {
    const org = await catalog.addOrg();
    const brand = await addBrand(catalog, org);
    await addPrompt(catalog, { orgId: org, brandId: brand.id }, { text: 'kept' });
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    expect(texts(await list('', org))).toBe('kept');
  });

  test('filters of maximum length fit the cursor', async () => {
    const country = encodeURIComponent('ΐ'.repeat(256));
    expect((await list(`country=${country}&tag=${encodeURIComponent('😀'.repeat(100))}`)).status).toBe(200);
    const org = await catalog.addOrg('enterprise');
    const brand = await addBrand(catalog, org);
    const tag = '😀'.repeat(64);
    for (const text of ['1', '2'])
      await addPrompt(catalog, { orgId: org, brandId: brand.id }, { text, tags: [tag] });
    const first = await list(
      `limit=1&brand_id=${brand.id}&active=true&platform=ai_overviews&country=us&tag=${encodeURIComponent(tag)}`,
      org,
    );
    expect(first.pagination.next_cursor?.length).toBeLessThanOrEqual(2048);
    expect(texts(await list(`cursor=${first.pagination.next_cursor}`, org))).toBe('2');
  });
});

describe('400', () => {
  test.each([
    ['invalid_format', 'brand_id', 'brand_id=x'],
    ['invalid_value', 'active', 'active=1'],
    ['too_small', 'tag', 'tag='],
    ['too_big', 'tag', `tag=${'x'.repeat(101)}`],
    ['invalid_value', 'platform', 'platform=bing'],
    ['too_small', 'country', 'country=%20'],
    ['too_big', 'country', `country=${'x'.repeat(257)}`],
    ['invalid_format', 'country', 'country=a%00b'],
    ['too_big', 'limit', 'limit=201'],
    ['invalid_type', 'active', 'active=true&active=true'],
  ])('validation_error %s at %s (case %#)', async (code, path, query) => {
    const response = await list(query);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('invalid_cursor with filter_changed names the filter', async () => {
    const { pagination } = await list('limit=1&active=true');
    const cursor = pagination.next_cursor;
    for (const [parameter, value] of Object.entries({
      active: 'false',
      brand_id: one,
      tag: 'x',
      platform: 'claude',
      country: 'US',
    })) {
      expect((await list(`cursor=${cursor}&${parameter}=${value}`)).refusal).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: { reason: 'filter_changed', parameter },
      });
    }
    expect((await list(`cursor=${cursor}&active=true`)).status).toBe(200);
  });

  test('invalid_cursor of the brand list', async () => {
    const brands = await catalog.call(listBrands, { params: { orgId }, query: 'limit=1' });
    const response = await list(`cursor=${brands.pagination.next_cursor}`);
    expect(response.refusal).toEqual({ status: 400, code: 'invalid_cursor', details: undefined });
  });
});

test('404 not_found for a caller of another organisation', async () => {
  const response = await catalog.call(listPrompts, { params: { orgId }, caller: { orgId: randomUUID() } });
  expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
});

testCommonRefusals(listPrompts, () => catalog);
