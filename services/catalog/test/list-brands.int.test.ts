import { listBrands, operatorArchiveBrand, operatorListOrgs } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg('enterprise');
  for (let index = 0; index < 4; index += 1) {
    await addBrand(catalog, orgId, {
      name: `own ${index}`,
      competitors: [{ name: `rival ${index}`, domain: newHost() }],
    });
  }
});
afterAll(() => catalog.stop());

const list = (query = '', org = orgId) => catalog.call(listBrands, { params: { orgId: org }, query });
const readAllPages = async (query: string) => {
  let page = await list(query);
  const rows = page.data;
  while (page.pagination.has_more) {
    const limit = /limit=\d+/.exec(query)?.[0] ?? 'limit=50';
    page = await list(`${limit}&cursor=${page.pagination.next_cursor}`);
    rows.push(...page.data);
  }
  return rows;
};

describe('200', () => {
  test('own brands and competitors, oldest first', async () => {
    const { status, data, pagination } = await list();
    expect(status).toBe(200);
    expect(pagination).toEqual({ next_cursor: null, has_more: false });
    expect(data.map(({ name }) => name)).toEqual(
      [0, 1, 2, 3].flatMap((index) => [`own ${index}`, `rival ${index}`]),
    );
    expect(Object.keys(data[0] ?? {}).sort()).toEqual([
      'created_at',
      'domain',
      'external_ref',
      'geography',
      'id',
      'is_own',
      'name',
      'sunset_at',
      'updated_at',
    ]);
  });

  test.each([1, 2, 3, 8, 200])('pages of %i return every row once', async (limit) => {
    const all = (await list()).data;
    expect(await readAllPages(`limit=${limit}`)).toEqual(all);
  });

  test('the cursor carries is_own, and the query may repeat it', async () => {
    const own = await readAllPages('limit=1&is_own=true');
    expect(own.map(({ is_own }) => is_own)).toEqual([true, true, true, true]);
    const first = await list('limit=3&is_own=false');
    const next = await list(`limit=3&is_own=false&cursor=${first.pagination.next_cursor}`);
    expect(next.data.map(({ name }) => name)).toEqual(['rival 3']);
  });

  test('archived brands are omitted', async () => {
    const org = await catalog.addOrg();
    const brand = await addBrand(catalog, org);
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    expect((await list('', org)).data).toEqual([]);
    expect((await list('is_own=true', org)).data).toEqual([]);
  });

  test('a brand created between two pages is on the last page', async () => {
    const org = await catalog.addOrg('enterprise');
    for (let index = 0; index < 3; index += 1) await addBrand(catalog, org, { name: `${index}` });
    const first = await list('limit=2', org);
    await addBrand(catalog, org, { name: 'late' });
    const second = await list(`limit=2&cursor=${first.pagination.next_cursor}`, org);
    expect(second.data.map(({ name }) => name)).toEqual(['2', 'late']);
  });
});

describe('400', () => {
  test.each([
    ['too_small', 'limit', 'limit=0'],
    ['too_big', 'limit', 'limit=201'],
    ['invalid_type', 'limit', 'limit=x'],
    ['invalid_type', 'limit', 'limit=1&limit=2'],
    ['invalid_value', 'is_own', 'is_own=yes'],
    ['too_big', 'cursor', `cursor=${'x'.repeat(2_049)}`],
  ])('validation_error %s at %s (case %#)', async (code, path, query) => {
    const response = await list(query);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('invalid_cursor: forged, of another organisation, of another list', async () => {
    const other = await catalog.addOrg('enterprise');
    for (let index = 0; index < 2; index += 1) await addBrand(catalog, other);
    const foreign = (await list('limit=1', other)).pagination.next_cursor;
    const orgs = await catalog.call(operatorListOrgs, { query: 'limit=1' });
    const own = String((await list('limit=1')).pagination.next_cursor);
    const flipped = `${own.slice(0, 30)}${own[30] === 'A' ? 'B' : 'A'}${own.slice(31)}`;
    for (const cursor of ['x', foreign, orgs.pagination.next_cursor, flipped]) {
      expect((await list(`cursor=${cursor}`)).refusal).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: undefined,
      });
    }
  });

  test('invalid_cursor with filter_changed for another is_own or one that the first page did not have', async () => {
    const own = (await list('limit=1&is_own=true')).pagination.next_cursor;
    const all = (await list('limit=1')).pagination.next_cursor;
    for (const query of [`is_own=false&cursor=${own}`, `is_own=true&cursor=${all}`]) {
      expect((await list(query)).refusal).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: { reason: 'filter_changed', parameter: 'is_own' },
      });
    }
  });
});

test('404 not_found for a caller of another organisation', async () => {
  const other = await catalog.addOrg();
  const response = await catalog.call(listBrands, { params: { orgId }, caller: { orgId: other } });
  expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
});

testCommonRefusals(listBrands, () => catalog);
