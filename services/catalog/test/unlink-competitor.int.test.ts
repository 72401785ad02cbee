import { randomUUID } from 'node:crypto';
import { getBrand, linkCompetitor, operatorArchiveBrand, unlinkCompetitor } from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const unlink = (orgId: string, brandId: string, competitorId: string, operationId?: string) =>
  catalog.call(unlinkCompetitor, {
    params: { orgId, brandId, competitorId },
    caller: operationId ? { operationId } : {},
  });
const withCompetitor = async (orgId: string) => {
  const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'Rival', domain: newHost() }] });
  return { brandId: brand.id, competitor: brand.competitors[0]! };
};

test('200: the link is gone, the row stays and is reused', async () => {
  const orgId = await catalog.addOrg('growth', { competitors_per_brand: 1 });
  const { brandId, competitor } = await withCompetitor(orgId);
  const { status, data } = await unlink(orgId, brandId, competitor.id.toUpperCase());
  expect(status).toBe(200);
  expect(data).toEqual({ id: competitor.id, deleted: true });
  const read = await catalog.call(getBrand, { params: { orgId, brandId } });
  expect(read.data.competitors).toEqual([]);
  expect((await catalog.call(getBrand, { params: { orgId, brandId: competitor.id } })).status).toBe(200);
  const again = await catalog.call(linkCompetitor, {
    params: { orgId, brandId },
    body: {
      name: 'x',
      domain: competitor.domain,
    },
  });
  expect(again.data).toMatchObject({ id: competitor.id, name: 'Rival', reused: true });
});

test('200 while the brand is archived', async () => {
  const orgId = await catalog.addOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  await catalog.call(operatorArchiveBrand, { params: { brandId } });
  expect((await unlink(orgId, brandId, competitor.id)).status).toBe(200);
});

test('200 again for a retry under the same operation id', async () => {
  const orgId = await catalog.addOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  const operationId = randomUUID();
  const first = await unlink(orgId, brandId, competitor.id, operationId);
  expect((await unlink(orgId, brandId, competitor.id, operationId)).body).toEqual(first.body);
});

test('400 validation_error own_brand_only if the brand is a competitor', async () => {
  const orgId = await catalog.addOrg();
  const { competitor } = await withCompetitor(orgId);
  expect((await unlink(orgId, competitor.id, competitor.id)).refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'brandId', code: 'own_brand_only' }],
  });
});

test('404 not_found: no such brand, not linked, linked to another brand', async () => {
  const orgId = await catalog.addOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  const other = await withCompetitor(orgId);
  const foreign = await withCompetitor(await catalog.addOrg());
  for (const [brand, id] of [
    [randomUUID(), competitor.id],
    [brandId, randomUUID()],
    [brandId, brandId],
    [brandId, other.competitor.id],
    [foreign.brandId, foreign.competitor.id],
  ] as const) {
    expect((await unlink(orgId, brand, id)).refusal).toMatchObject({ status: 404, code: 'not_found' });
  }
  await unlink(orgId, brandId, competitor.id);
  expect((await unlink(orgId, brandId, competitor.id)).status).toBe(404);
});

testCommonRefusals(unlinkCompetitor, () => catalog);
