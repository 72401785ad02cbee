import { operatorDeleteOrg } from '@bv/contract';
import { publishedHeader, readPublished } from '@bv/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, createBrand, refusal, startCatalog, type Wire } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const published = (response: Wire) => readPublished(response.headers.get(publishedHeader) ?? undefined);
const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorDeleteOrg', () => {
  test('200 once, then 404 not_found everywhere', async () => {
    const orgId = await catalog.createOrg();
    const brand = await createBrand(catalog, orgId);
    const response = await catalog.operator('DELETE', `/orgs/${orgId}`);
    expect(response.body.data).toEqual({ id: orgId, deleted: true });
    expect(published(response)).toEqual([orgChanged]);
    for (const [method, path, body] of [
      ['DELETE', `/orgs/${orgId}`],
      ['GET', `/orgs/${orgId}`],
      ['PATCH', `/orgs/${orgId}`, { name: 'x' }],
      ['POST', `/brands/${brand.id}/archive`],
    ] as const) {
      expect(refusal(await catalog.operator(method, path, body))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });
});

testCommonRefusals(operatorDeleteOrg, () => catalog);
