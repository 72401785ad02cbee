import { operatorCreateOrg, operatorListTiers, operatorUpdateOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

describe('operatorListTiers', () => {
  test('200 by name with their limits, page by page', async () => {
    const first = await catalog.call(operatorListTiers, { query: 'limit=3' });
    const query = `limit=3&cursor=${first.pagination.next_cursor}`;
    const rest = await catalog.call(operatorListTiers, { query });
    expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual([
      'enterprise',
      'growth',
      'scale',
      'starter',
    ]);
    expect(first.data[1]).toEqual({
      name: 'growth',
      api_access: true,
      on_demand_scans: true,
      prompts: 100,
      own_brands: 3,
      countries: 5,
      competitors_per_brand: 5,
      manual_scans: 10,
    });
    expect(first.data[0]?.prompts).toBeNull();
    const forged = await catalog.call(operatorListTiers, { query: 'cursor=x' });
    expect(forged.refusal.code).toBe('invalid_cursor');
  });
});

test('400 for an unknown tier names the known ones, at creation and update', async () => {
  const message = 'No tier has this name. Tiers: enterprise, growth, scale, starter';
  const details = [{ path: 'tier', code: 'invalid_value', message }];
  const created = await catalog.call(operatorCreateOrg, { body: { name: 'Acme', tier: 'scal' } });
  expect(created.error.details).toEqual(details);
  const params = { orgId: await catalog.addOrg() };
  const updated = await catalog.call(operatorUpdateOrg, { params, body: { tier: 'scal' } });
  expect(updated.error.details).toEqual(details);
});
