import { randomUUID } from 'node:crypto';
import { unlinkCompetitor } from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Catalog, createBrand, newHost, refusal, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const unlink = (orgId: string, brandId: string, competitorId: string, operationId?: string) =>
  catalog.call(
    'DELETE',
    `/orgs/${orgId}/brands/${brandId}/competitors/${competitorId}`,
    undefined,
    operationId ? { operationId } : {},
  );
const withCompetitor = async (orgId: string) => {
  const brand = await createBrand(catalog, orgId, { competitors: [{ name: 'Rival', domain: newHost() }] });
  return { brandId: brand.id as string, competitor: brand.competitors[0] };
};

test('200: the link is gone, the row stays and is reused', async () => {
  const orgId = await catalog.createOrg('growth', { competitors_per_brand: 1 });
  const { brandId, competitor } = await withCompetitor(orgId);
  const { status, body } = await unlink(orgId, brandId, competitor.id.toUpperCase());
  expect(status).toBe(200);
  expect(body.data).toEqual({ id: competitor.id, deleted: true });
  const read = await catalog.call('GET', `/orgs/${orgId}/brands/${brandId}`);
  expect(read.body.data.competitors).toEqual([]);
  expect((await catalog.call('GET', `/orgs/${orgId}/brands/${competitor.id}`)).status).toBe(200);
  const again = await catalog.call('POST', `/orgs/${orgId}/brands/${brandId}/competitors`, {
    name: 'x',
    domain: competitor.domain,
  });
  expect(again.body.data).toMatchObject({ id: competitor.id, name: 'Rival', reused: true });
});

test('200 while the brand is archived', async () => {
  const orgId = await catalog.createOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  await catalog.operator('POST', `/brands/${brandId}/archive`);
  expect((await unlink(orgId, brandId, competitor.id)).status).toBe(200);
});

test('200 again for a retry under the same operation id', async () => {
  const orgId = await catalog.createOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  const operationId = randomUUID();
  const first = await unlink(orgId, brandId, competitor.id, operationId);
  expect((await unlink(orgId, brandId, competitor.id, operationId)).body).toEqual(first.body);
});

test('400 validation_error own_brand_only if the brand is a competitor', async () => {
  const orgId = await catalog.createOrg();
  const { competitor } = await withCompetitor(orgId);
  expect(refusal(await unlink(orgId, competitor.id, competitor.id))).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'brandId', code: 'own_brand_only' }],
  });
});

test('404 not_found: no such brand, not linked, linked to another brand', async () => {
  const orgId = await catalog.createOrg();
  const { brandId, competitor } = await withCompetitor(orgId);
  const other = await withCompetitor(orgId);
  const foreign = await withCompetitor(await catalog.createOrg());
  for (const [brand, id] of [
    [randomUUID(), competitor.id],
    [brandId, randomUUID()],
    [brandId, brandId],
    [brandId, other.competitor.id],
    [foreign.brandId, foreign.competitor.id],
  ] as const) {
    expect(refusal(await unlink(orgId, brand, id))).toMatchObject({ status: 404, code: 'not_found' });
  }
  await unlink(orgId, brandId, competitor.id);
  expect((await unlink(orgId, brandId, competitor.id)).status).toBe(404);
});

testCommonRefusals(unlinkCompetitor, () => catalog);
