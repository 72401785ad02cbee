import { createProperty, type ValidationDetail } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, newHost, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const create = (orgId: string, body: object, operationId?: string) =>
  catalog.call(createProperty, { params: { orgId }, body, caller: operationId ? { operationId } : {} });
const listDetails = (details: unknown): string[] =>
  (details as ValidationDetail[]).map(({ path, code }) => `${path} ${code}`);
const countBrands = async (orgId: string): Promise<number> => {
  const { rows } = await catalog.sql.query('select count(*)::int as n from brands where org_id = $1', [
    orgId,
  ]);
  return rows[0].n;
};

describe('400 validation_error', () => {
  test.each([
    ['invalid_domain', { domain: 'localhost' }, 'domain'],
    ['invalid_domain', { domain: 'co.uk' }, 'domain'],
    [
      'invalid_domain',
      {
        competitors: [
          { name: 'a', domain: newHost() },
          { name: 'b', domain: '10.0.0.1' },
        ],
      },
      'competitors.1.domain',
    ],
    [
      'competitor_is_self',
      { domain: 'self.com', competitors: [{ name: 'a', domain: 'https://WWW.self.com/' }] },
      'competitors.0.domain',
    ],
    ['unsupported_country', { markets: ['US', 'us', 'ie'] }, 'markets.2'],
  ])('%s (case %#)', async (code, body, path) => {
    const orgId = await catalog.addOrg();
    const response = await create(orgId, { name: 'Brand', domain: newHost(), ...body });
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
    expect(await countBrands(orgId)).toBe(0);
  });

  test('one error lists every invalid field with its path', async () => {
    const orgId = await catalog.addOrg();
    const host = newHost();
    const response = await create(orgId, {
      name: 'Brand',
      domain: host,
      markets: ['us', 'US', 'IE', 'ie', 'XX'],
      competitors: [
        { name: 'a', domain: 'nope' },
        { name: 'b', domain: newHost() },
        { name: 'c', domain: `www.${host}` },
      ],
    });
    expect(listDetails(response.error.details)).toEqual([
      'markets.2 unsupported_country',
      'markets.3 unsupported_country',
      'markets.4 unsupported_country',
      'competitors.0.domain invalid_domain',
      'competitors.2.domain competitor_is_self',
    ]);
    const both = await create(orgId, {
      name: 'a',
      domain: 'bad',
      competitors: [{ name: 'b', domain: 'also bad' }],
    });
    expect(listDetails(both.error.details)).toEqual([
      'domain invalid_domain',
      'competitors.0.domain invalid_domain',
    ]);
    expect(await countBrands(orgId)).toBe(0);
  });
});
