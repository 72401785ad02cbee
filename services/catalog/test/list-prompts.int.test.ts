import { randomUUID } from 'node:crypto';
import { listPrompts } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, createBrand, createPrompt, refusal, startCatalog, type Wire } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let one: string;
let other: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.createOrg('enterprise');
  one = (await createBrand(catalog, orgId)).id;
  other = (await createBrand(catalog, orgId)).id;
  await createPrompt(
    catalog,
    { orgId, id: one },
    { text: 'a', tags: ['x', 'y'], countries: ['US'], platforms: ['claude'] },
  );
  await createPrompt(catalog, { orgId, id: other }, { text: 'b', tags: ['y'], countries: ['US', 'DE'] });
  await createPrompt(
    catalog,
    { orgId, id: one },
    { text: 'c', countries: ['DE'], platforms: ['gemini', 'claude'], active: false },
  );
  await createPrompt(
    catalog,
    { orgId, id: one },
    { text: 'd', tags: ['x'], countries: ['FR'], platforms: ['gemini'] },
  );
});
afterAll(() => catalog.stop());

const list = (query = '', org = orgId) => catalog.call('GET', `/orgs/${org}/prompts${query}`);
const texts = (response: Wire): string => response.body.data.map(({ text }: Wire) => text).join('');

describe('200', () => {
  test('all prompts, active or not, oldest first', async () => {
    expect(texts(await list())).toBe('abcd');
  });

  test.each([
    ['brand_id', () => `?brand_id=${one}`, 'acd'],
    ['brand_id in upper case', () => `?brand_id=${other.toUpperCase()}`, 'b'],
    ['an unknown brand_id', () => `?brand_id=${randomUUID()}`, ''],
    ['active', () => '?active=true', 'abd'],
    ['inactive', () => '?active=false', 'c'],
    ['tag', () => '?tag=%20x%20', 'ad'],
    ['platform', () => '?platform=gemini', 'bcd'],
    ['country, trimmed and in any case', () => '?country=%20de', 'bc'],
    ['a country without prompts', () => '?country=Atlantis', ''],
    ['all of them', () => `?brand_id=${one}&active=true&tag=x&platform=claude&country=US`, 'a'],
  ])('filtered by %s', async (_, query, expected) => {
    expect(texts(await list(query()))).toBe(expected);
  });

  test.each([1, 2, 3])('filtered pages of %i return every row once, with the cursor alone', async (limit) => {
    let response = await list(`?limit=${limit}&platform=gemini&country=de`);
    let collected = texts(response);
    while (response.body.pagination.has_more) {
      response = await list(`?limit=${limit}&cursor=${response.body.pagination.next_cursor}`);
      collected += texts(response);
    }
    expect(collected).toBe('bc');
    expect(response.body.pagination.next_cursor).toBeNull();
  });

  test('prompts of archived brands stay readable', async () => {
    const org = await catalog.createOrg();
    const brand = await createBrand(catalog, org);
    await createPrompt(catalog, { orgId: org, id: brand.id }, { text: 'kept' });
    await catalog.operator('POST', `/brands/${brand.id}/archive`);
    expect(texts(await list('', org))).toBe('kept');
  });

  test('filters of maximum length fit the cursor', async () => {
    const country = encodeURIComponent('ΐ'.repeat(256));
    expect((await list(`?country=${country}&tag=${encodeURIComponent('😀'.repeat(100))}`)).status).toBe(200);
    const org = await catalog.createOrg('enterprise');
    const brand = await createBrand(catalog, org);
    const tag = '😀'.repeat(64);
    for (const text of ['1', '2'])
      await createPrompt(catalog, { orgId: org, id: brand.id }, { text, tags: [tag] });
    const first = await list(
      `?limit=1&brand_id=${brand.id}&active=true&platform=ai_overviews&country=us&tag=${encodeURIComponent(tag)}`,
      org,
    );
    expect(first.body.pagination.next_cursor.length).toBeLessThanOrEqual(2048);
    expect(texts(await list(`?cursor=${first.body.pagination.next_cursor}`, org))).toBe('2');
  });
});

describe('400', () => {
  test.each([
    ['invalid_format', 'brand_id', '?brand_id=x'],
    ['invalid_value', 'active', '?active=1'],
    ['too_small', 'tag', '?tag='],
    ['too_big', 'tag', `?tag=${'x'.repeat(101)}`],
    ['invalid_value', 'platform', '?platform=bing'],
    ['too_small', 'country', '?country=%20'],
    ['too_big', 'country', `?country=${'x'.repeat(257)}`],
    ['invalid_format', 'country', '?country=a%00b'],
    ['too_big', 'limit', '?limit=201'],
    ['invalid_type', 'active', '?active=true&active=true'],
  ])('validation_error %s at %s (case %#)', async (code, path, query) => {
    const response = await list(query);
    expect(refusal(response)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.body.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('invalid_cursor with filter_changed names the filter', async () => {
    const { body } = await list('?limit=1&active=true');
    const cursor = body.pagination.next_cursor;
    for (const [parameter, value] of Object.entries({
      active: 'false',
      brand_id: one,
      tag: 'x',
      platform: 'claude',
      country: 'US',
    })) {
      expect(refusal(await list(`?cursor=${cursor}&${parameter}=${value}`))).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: { reason: 'filter_changed', parameter },
      });
    }
    expect((await list(`?cursor=${cursor}&active=true`)).status).toBe(200);
  });

  test('invalid_cursor of the brand list', async () => {
    const brands = await catalog.call('GET', `/orgs/${orgId}/brands?limit=1`);
    const response = await list(`?cursor=${brands.body.pagination.next_cursor}`);
    expect(refusal(response)).toEqual({ status: 400, code: 'invalid_cursor', details: undefined });
  });
});

test('404 not_found for a caller of another organisation', async () => {
  const response = await catalog.call('GET', `/orgs/${orgId}/prompts`, undefined, { orgId: randomUUID() });
  expect(refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
});

testCommonRefusals(listPrompts, () => catalog);
