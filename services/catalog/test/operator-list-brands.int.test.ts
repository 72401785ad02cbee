import { linkCompetitor, operatorArchiveBrand, operatorGetBrand, operatorListOrgBrands } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let own: string;
let competitor: string;
let archived: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg();
  own = (await addBrand(catalog, orgId, { name: 'Own' })).id;
  const body = { name: 'Rival', domain: newHost() };
  competitor = (await catalog.call(linkCompetitor, { params: { orgId, brandId: own }, body })).data.id;
  archived = (await addBrand(catalog, orgId, { name: 'Old' })).id;
  await catalog.call(operatorArchiveBrand, { params: { brandId: archived } });
  await addBrand(catalog, await catalog.addOrg());
});
afterAll(() => catalog.stop());

const listIds = async (query = ''): Promise<string[]> =>
  (await catalog.call(operatorListOrgBrands, { params: { orgId }, query })).data.map(({ id }) => id);

describe('operatorListOrgBrands', () => {
  test('200 own brands, competitors and archived ones, oldest first, page by page', async () => {
    const first = await catalog.call(operatorListOrgBrands, { params: { orgId }, query: 'limit=2' });
    expect(first.data.map(({ id }) => id)).toEqual([own, competitor]);
    expect(first.data[0]).toMatchObject({ org_id: orgId, org_name: 'Acme', name: 'Own', sunset_at: null });
    expect(await listIds(`limit=2&cursor=${first.pagination.next_cursor}`)).toEqual([archived]);
  });

  test('200 filtered by kind and by state; the cursor keeps the filters', async () => {
    expect(await listIds('is_own=false')).toEqual([competitor]);
    expect(await listIds('archived=true')).toEqual([archived]);
    const query = 'is_own=true&archived=false&limit=1';
    expect(await listIds(query)).toEqual([own]);
    const { pagination } = await catalog.call(operatorListOrgBrands, {
      params: { orgId },
      query: 'is_own=true&limit=1',
    });
    const changed = `is_own=false&cursor=${pagination.next_cursor}`;
    const response = await catalog.call(operatorListOrgBrands, { params: { orgId }, query: changed });
    expect(response.refusal).toMatchObject({ code: 'invalid_cursor' });
  });
});

test('operatorGetBrand 200 with its organisation and competitors, also when archived', async () => {
  const { data } = await catalog.call(operatorGetBrand, { params: { brandId: own } });
  expect(data).toMatchObject({ id: own, org_id: orgId, org_name: 'Acme' });
  expect(data.competitors.map(({ id }) => id)).toEqual([competitor]);
  const old = await catalog.call(operatorGetBrand, { params: { brandId: archived } });
  expect(old.data.sunset_at).not.toBeNull();
});

testCommonRefusals(operatorListOrgBrands, () => catalog);
testCommonRefusals(operatorGetBrand, () => catalog);
