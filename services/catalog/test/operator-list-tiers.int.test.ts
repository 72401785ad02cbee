import { readFileSync } from 'node:fs';
import { operatorCreateOrg, operatorListTiers, operatorUpdateOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';

/** The cells of each row of the guide that has as many as the table of tiers. */
function readRows(): string[][] {
  const text = readFileSync(new URL('../../../docs/guides/limits.md', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === 5);
}

/** A limit in the words of the guide. */
const inWords = (limit: number | null): string => (limit === null ? 'unlimited' : String(limit));

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

test('the guide states the limits of every tier', async () => {
  const { data: tiers } = await catalog.call(operatorListTiers, { query: 'limit=200' });
  const guide = readRows();
  const columns = guide.find(([first]) => first === 'Limit') ?? [];
  for (const tier of tiers) {
    const {
      prompts,
      own_brands: brands,
      countries,
      competitors_per_brand: competitors,
      manual_scans: scans,
    } = tier;
    const column = columns.indexOf(tier.name);
    const inGuide = (label: string): string | undefined => guide.find(([first]) => first === label)?.[column];
    expect(inGuide('access to the API')).toBe(tier.api_access ? 'yes' : 'no');
    expect(inGuide('own brands')).toBe(inWords(brands));
    expect(inGuide('active prompts')).toBe(inWords(prompts));
    expect(inGuide('countries')).toBe(inWords(countries));
    expect(inGuide('competitors of a brand')).toBe(inWords(competitors));
    expect(inGuide('scans requested in a month')).toBe(inWords(scans));
  }
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
