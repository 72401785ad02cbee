import { listBrands } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, createBrand, newHost, refusal, startCatalog, type Wire } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.createOrg('enterprise');
  for (let index = 0; index < 4; index += 1) {
    await createBrand(catalog, orgId, {
      name: `own ${index}`,
      competitors: [{ name: `rival ${index}`, domain: newHost() }],
    });
  }
});
afterAll(() => catalog.stop());

const list = (query = '', org = orgId) => catalog.call('GET', `/orgs/${org}/brands${query}`);
const readAllPages = async (query: string): Promise<Wire[]> => {
  const rows: Wire[] = [];
  let { body } = await list(query);
  for (;;) {
    rows.push(...body.data);
    if (!body.pagination.has_more) return rows;
    const limit = /limit=\d+/.exec(query)?.[0] ?? 'limit=50';
    ({ body } = await list(`?${limit}&cursor=${body.pagination.next_cursor}`));
  }
};

describe('200', () => {
  test('own brands and competitors, oldest first', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ next_cursor: null, has_more: false });
    expect(body.data.map(({ name }: Wire) => name)).toEqual(
      [0, 1, 2, 3].flatMap((index) => [`own ${index}`, `rival ${index}`]),
    );
    expect(Object.keys(body.data[0]).sort()).toEqual([
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
    const all = (await list()).body.data;
    expect(await readAllPages(`?limit=${limit}`)).toEqual(all);
  });

  test('the cursor carries is_own, and the query may repeat it', async () => {
    const own = await readAllPages('?limit=1&is_own=true');
    expect(own.map(({ is_own }) => is_own)).toEqual([true, true, true, true]);
    const first = await list('?limit=3&is_own=false');
    const next = await list(`?limit=3&is_own=false&cursor=${first.body.pagination.next_cursor}`);
    expect(next.body.data.map(({ name }: Wire) => name)).toEqual(['rival 3']);
  });

  test('archived brands are omitted', async () => {
    const org = await catalog.createOrg();
    const brand = await createBrand(catalog, org);
    await catalog.operator('POST', `/brands/${brand.id}/archive`);
    expect((await list('', org)).body.data).toEqual([]);
    expect((await list('?is_own=true', org)).body.data).toEqual([]);
  });

  test('a brand created between two pages is on the last page', async () => {
    const org = await catalog.createOrg('enterprise');
    for (let index = 0; index < 3; index += 1) await createBrand(catalog, org, { name: `${index}` });
    const first = await list('?limit=2', org);
    await createBrand(catalog, org, { name: 'late' });
    const second = await list(`?limit=2&cursor=${first.body.pagination.next_cursor}`, org);
    expect(second.body.data.map(({ name }: Wire) => name)).toEqual(['2', 'late']);
  });
});

describe('400', () => {
  test.each([
    ['too_small', 'limit', '?limit=0'],
    ['too_big', 'limit', '?limit=201'],
    ['invalid_type', 'limit', '?limit=x'],
    ['invalid_type', 'limit', '?limit=1&limit=2'],
    ['invalid_value', 'is_own', '?is_own=yes'],
    ['too_big', 'cursor', `?cursor=${'x'.repeat(2_049)}`],
  ])('validation_error %s at %s (case %#)', async (code, path, query) => {
    const response = await list(query);
    expect(refusal(response)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.body.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('invalid_cursor: forged, of another organisation, of another list', async () => {
    const other = await catalog.createOrg('enterprise');
    for (let index = 0; index < 2; index += 1) await createBrand(catalog, other);
    const foreign = (await list('?limit=1', other)).body.pagination.next_cursor;
    const orgs = await catalog.operator('GET', '/orgs?limit=1');
    const own = (await list('?limit=1')).body.pagination.next_cursor;
    const flipped = `${own.slice(0, 30)}${own[30] === 'A' ? 'B' : 'A'}${own.slice(31)}`;
    for (const cursor of ['x', foreign, orgs.body.pagination.next_cursor, flipped]) {
      expect(refusal(await list(`?cursor=${cursor}`))).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: undefined,
      });
    }
  });

  test('invalid_cursor with filter_changed for another is_own or one that the first page did not have', async () => {
    const own = (await list('?limit=1&is_own=true')).body.pagination.next_cursor;
    const all = (await list('?limit=1')).body.pagination.next_cursor;
    for (const query of [`?is_own=false&cursor=${own}`, `?is_own=true&cursor=${all}`]) {
      expect(refusal(await list(query))).toEqual({
        status: 400,
        code: 'invalid_cursor',
        details: { reason: 'filter_changed', parameter: 'is_own' },
      });
    }
  });
});

test('404 not_found for a caller of another organisation', async () => {
  const other = await catalog.createOrg();
  const response = await catalog.call('GET', `/orgs/${orgId}/brands`, undefined, { orgId: other });
  expect(refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
});

testCommonRefusals(listBrands, () => catalog);
