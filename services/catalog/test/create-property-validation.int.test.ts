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
    ['too_big', { name: 'x'.repeat(201) }, 'name'],
    ['too_small', { name: '   ' }, 'name'],
    ['invalid_format', { aliases: ['\u200b'] }, 'aliases.0'],
    ['too_big', { external_ref: 'x'.repeat(256) }, 'external_ref'],
    ['too_small', { external_ref: '' }, 'external_ref'],
    ['too_big', { geography: 'x'.repeat(101) }, 'geography'],
    ['too_big', { aliases: Array.from({ length: 21 }, String) }, 'aliases'],
    ['too_big', { markets: Array.from({ length: 30 }, () => 'US') }, 'markets'],
    [
      'too_big',
      { competitors: Array.from({ length: 51 }, () => ({ name: 'a', domain: 'a.com' })) },
      'competitors',
    ],
    ['invalid_type', { match: [] }, 'match'],
    ['too_big', { match: { exclude: ['x'.repeat(101)] } }, 'match.exclude.0'],
    [
      'too_big',
      { competitors: [{ name: 'a', domain: 'a.com', aliases: Array.from({ length: 21 }, () => 'a') }] },
      'competitors.0.aliases',
    ],
    [
      'invalid_type',
      { competitors: [{ name: 'a', domain: 'a.com', match: { verify: 1 } }] },
      'competitors.0.match.verify',
    ],
    ['invalid_type', { name: null }, 'name'],
    ['invalid_type', { domain: 5 }, 'domain'],
    ['invalid_format', { name: 'a\u0000b' }, 'name'],
    ['invalid_format', { name: 'a\ud800b' }, 'name'],
    ['invalid_format', { external_ref: 'a\nb' }, 'external_ref'],
    ['invalid_format', { markets: ['USA'] }, 'markets.0'],
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

  test('__proto__ and constructor in the body are fields like any other', async () => {
    const orgId = await catalog.addOrg();
    const body = `{"name":"Brand","domain":"${newHost()}","__proto__":{"x":1},"constructor":{"y":2}}`;
    expect((await create(orgId, body as unknown as object)).status).toBe(201);
  });

  test('bounds are in characters, not in UTF-16 units', async () => {
    const orgId = await catalog.addOrg();
    expect((await create(orgId, { name: '😀'.repeat(200), domain: newHost() })).status).toBe(201);
  });
});
