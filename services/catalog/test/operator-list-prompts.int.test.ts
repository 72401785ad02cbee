import {
  operatorGetPrompt,
  operatorListBrandPrompts,
  operatorListOrgPrompts,
  type OperatorPrompt,
} from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let brandId: string;
let ids: string[];
let ofOther: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg();
  brandId = (await addBrand(catalog, orgId, { name: 'One' })).id;
  ids = [];
  for (const active of [true, false, true]) {
    ids.push((await addPrompt(catalog, { orgId, brandId }, { active })).id);
  }
  const other = (await addBrand(catalog, orgId, { name: 'Two' })).id;
  ofOther = (await addPrompt(catalog, { orgId, brandId: other })).id;
});
afterAll(() => catalog.stop());

const toIds = (prompts: readonly OperatorPrompt[]): string[] => prompts.map(({ id }) => id);

test('operatorListOrgPrompts 200 of all brands, oldest first, page by page, with names', async () => {
  const first = await catalog.call(operatorListOrgPrompts, { params: { orgId }, query: 'limit=3' });
  expect(toIds(first.data)).toEqual(ids);
  expect(first.data[0]).toMatchObject({ brand_name: 'One', org_id: orgId, org_name: 'Acme' });
  const query = `limit=3&cursor=${first.pagination.next_cursor}`;
  const rest = await catalog.call(operatorListOrgPrompts, { params: { orgId }, query });
  expect(toIds(rest.data)).toEqual([ofOther]);
  expect(rest.data[0]?.brand_name).toBe('Two');
});

test('operatorListBrandPrompts 200 of one brand; active selects a state', async () => {
  const list = async (query: string): Promise<string[]> =>
    toIds((await catalog.call(operatorListBrandPrompts, { params: { brandId }, query })).data);
  expect(await list('')).toEqual(ids);
  expect(await list('active=true')).toEqual([ids[0], ids[2]]);
  expect(await list('active=false')).toEqual([ids[1]]);
});

test('operatorGetPrompt 200 with the names of its brand and organisation', async () => {
  const { data } = await catalog.call(operatorGetPrompt, { params: { promptId: ofOther } });
  expect(data).toMatchObject({ id: ofOther, brand_name: 'Two', org_id: orgId, org_name: 'Acme' });
});

testCommonRefusals(operatorListOrgPrompts, () => catalog);
testCommonRefusals(operatorListBrandPrompts, () => catalog);
testCommonRefusals(operatorGetPrompt, () => catalog);
