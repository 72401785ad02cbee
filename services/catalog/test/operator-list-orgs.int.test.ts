import { operatorListOrgs } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, refusal, startCatalog, type Wire } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

describe('operatorListOrgs', () => {
  test('200 by id, paged, without the deleted; invalid_cursor for a forged one', async () => {
    const ids = [await catalog.createOrg(), await catalog.createOrg(), await catalog.createOrg()];
    await catalog.operator('DELETE', `/orgs/${ids[1]}`);
    const met: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await catalog.operator('GET', `/orgs${query}`);
      met.push(...body.data.map(({ id }: Wire) => id));
      if (!body.pagination.has_more) break;
      query = `?limit=2&cursor=${body.pagination.next_cursor}`;
    }
    expect(met).toEqual(met.toSorted());
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    expect(met).not.toContain(ids[1]);
    expect(refusal(await catalog.operator('GET', '/orgs?cursor=x')).code).toBe('invalid_cursor');
  });
});

testCommonRefusals(operatorListOrgs, () => catalog);
