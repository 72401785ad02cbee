import { readFileSync } from 'node:fs';
import { operatorCreateOrg, operatorListTiers, operatorUpdateOrg } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from './catalog.ts';

/** The cells of each row of a page that has as many as the table of tiers. */
function readRows(page: string, columns: number): string[][] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    .filter((cells) => cells.length === columns);
}

/** A limit in the words of the pages. */
const inWords = (limit: number | null): RegExp =>
  limit === null ? /^(?:no limit|unlimited)$/ : new RegExp(`^(?:${limit}${limit === 0 ? '|none' : ''})$`);

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

test('the pages for partners and operators state the limits of every tier', async () => {
  const { data: tiers } = await catalog.call(operatorListTiers, { query: 'limit=200' });
  const guide = readRows('guides/limits.md', 5);
  const columns = guide.find(([first]) => first === 'Limit') ?? [];
  const onboarding = readRows('operations/onboarding.md', 7);
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
    expect(inGuide('own brands')).toMatch(inWords(brands));
    expect(inGuide('active prompts')).toMatch(inWords(prompts));
    expect(inGuide('countries')).toMatch(inWords(countries));
    expect(inGuide('competitors of a brand')).toMatch(inWords(competitors));
    expect(inGuide('scans requested in a month')).toMatch(inWords(scans));
    const [, access, ...limits] = onboarding.find(([first]) => first === tier.name) ?? [];
    expect(access).toBe(tier.api_access ? 'yes' : 'no');
    const expected = [prompts, brands, countries, competitors, scans];
    expect(limits).toHaveLength(expected.length);
    for (const [index, limit] of expected.entries()) expect(limits[index]).toMatch(inWords(limit));
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
