import { operatorDeleteOrg, operatorListOrgs } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

describe('operatorListOrgs', () => {
  test('200 by id, paged, without the deleted; invalid_cursor for a forged one', async () => {
    const kept = [await catalog.addOrg(), await catalog.addOrg()];
    const deleted = await catalog.addOrg();
    await catalog.call(operatorDeleteOrg, { params: { orgId: deleted } });
    const met: string[] = [];
    let query = 'limit=2';
    for (;;) {
      const { data, pagination } = await catalog.call(operatorListOrgs, { query });
      met.push(...data.map(({ id }) => id));
      if (!pagination.has_more) break;
      query = `limit=2&cursor=${pagination.next_cursor}`;
    }
    expect(met).toEqual(met.toSorted());
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining(kept));
    expect(met).not.toContain(deleted);
    expect((await catalog.call(operatorListOrgs, { query: 'cursor=x' })).refusal.code).toBe('invalid_cursor');
  });
});

testCommonRefusals(operatorListOrgs, () => catalog);
