import { randomUUID } from 'node:crypto';
import {
  createProperty,
  getBrand,
  operatorArchiveBrand,
  operatorDeleteOrg,
  operatorRestoreBrand,
  type PropertyPartialFailure,
} from '@bv/contract';
import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const create = (orgId: string, body: object, operationId?: string) =>
  catalog.call(createProperty, { params: { orgId }, body, caller: operationId ? { operationId } : {} });
const countBrands = async (orgId: string): Promise<number> => {
  const { rows } = await catalog.sql.query('select count(*)::int as n from brands where org_id = $1', [
    orgId,
  ]);
  return rows[0].n;
};

describe('201', () => {
  test('empty arrays: no markets, aliases or competitors', async () => {
    const orgId = await catalog.addOrg();
    const body = { name: 'x', domain: newHost(), markets: [], aliases: [], competitors: [] };
    const response = await catalog.call(createProperty, { params: { orgId }, body });
    expect(response.status).toBe(201);
    expect(response.data).toMatchObject({ markets: [], aliases: [], competitors: [] });
  });

  test('match rules of the brand, aliases and rules of competitors; a reused one keeps its own', async () => {
    const orgId = await catalog.addOrg();
    const domain = newHost();
    const sent = { aliases: ['Globex Inc', ' Globex Inc '], match: { verify: true } };
    const first = await create(orgId, {
      name: 'Acme Tools',
      domain: newHost(),
      match: { case_sensitive: true, exclude: ['acme of perfection'] },
      competitors: [{ name: 'Globex', domain, ...sent }],
    });
    expect(first.data).toMatchObject({
      match: { case_sensitive: true, exclude: ['acme of perfection'], verify: false },
      competitors: [
        {
          aliases: ['Globex Inc'],
          match: { case_sensitive: false, exclude: [], verify: true },
          warnings: [],
        },
      ],
    });
    const competitors = [{ name: 'Other', domain, aliases: ['other'], match: { exclude: ['x'] } }];
    const second = await create(orgId, { name: 'Acme Cloud', domain: newHost(), competitors });
    expect(second.data.match).toEqual({ case_sensitive: false, exclude: [], verify: false });
    expect(second.data.competitors).toEqual(first.data.competitors);
  });

  test('the brand with its competitors, the markets echoed, the domain normalised', async () => {
    const orgId = await catalog.addOrg();
    const host = newHost();
    const rival = newHost();
    const { status, data } = await create(orgId, {
      name: ' Acme ',
      domain: `HTTPS://www.${host.toUpperCase()}:8443/shop/?x=1`,
      external_ref: 'ref-1',
      geography: 'Europe',
      aliases: ['ACME Inc', 'ACME Inc'],
      markets: ['us', 'US', 'de'],
      competitors: [
        { name: 'Rival', domain: `http://${rival}/` },
        { name: 'Rival again', domain: `www.${rival}.` },
      ],
      unknown: 'ignored',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      name: 'Acme',
      domain: host,
      is_own: true,
      external_ref: 'ref-1',
      geography: 'Europe',
      sunset_at: null,
      last_scan_changed_at: null,
      aliases: ['ACME Inc'],
      markets: ['US', 'DE'],
      competitors: [{ name: 'Rival', domain: rival }],
    });
    const read = await catalog.call(getBrand, { params: { orgId, brandId: data.id } });
    const { markets: _, ...detail } = data;
    expect(read.data).toEqual(detail);
  });

  test('defaults, and an existing competitor row reused with its name kept', async () => {
    const orgId = await catalog.addOrg();
    const rival = newHost();
    const first = await addBrand(catalog, orgId, { competitors: [{ name: 'First name', domain: rival }] });
    const second = await addBrand(catalog, orgId, {
      competitors: [{ name: 'Other name', domain: rival }],
    });
    expect(second).toMatchObject({ geography: 'global', aliases: [], markets: [], external_ref: null });
    expect(second.competitors).toEqual(first.competitors);
    expect(second.competitors[0]?.name).toBe('First name');
  });

  test('an own brand and a competitor row may share a domain', async () => {
    const orgId = await catalog.addOrg();
    const host = newHost();
    await addBrand(catalog, orgId, { competitors: [{ name: 'Rival', domain: host }] });
    expect((await create(orgId, { name: 'Now ours', domain: host })).status).toBe(201);
  });
});

describe('404 not_found', () => {
  test('an organisation that is deleted or never existed', async () => {
    const orgId = await catalog.addOrg();
    await catalog.call(operatorDeleteOrg, { params: { orgId } });
    for (const id of [orgId, randomUUID()]) {
      expect((await create(id, { name: 'a', domain: newHost() })).refusal).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });

  test('a caller of another organisation', async () => {
    const orgId = await catalog.addOrg();
    const response = await catalog.call(createProperty, {
      params: { orgId },
      body: { name: 'a', domain: newHost() },
      caller: { orgId: randomUUID() },
    });
    expect(response.status).toBe(404);
  });
});

describe('409', () => {
  test('brand_exists before external_ref_exists, also for an archived brand; nothing is created', async () => {
    const orgId = await catalog.addOrg();
    const host = newHost();
    const brand = await addBrand(catalog, orgId, { domain: host, external_ref: 'r' });
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    const body = {
      name: 'a',
      domain: `www.${host}`,
      external_ref: 'r',
      competitors: [{ name: 'c', domain: newHost() }],
    };
    expect((await create(orgId, body)).refusal).toEqual({
      status: 409,
      code: 'brand_exists',
      details: { existing_id: brand.id },
    });
    expect((await create(orgId, { ...body, domain: newHost() })).refusal).toEqual({
      status: 409,
      code: 'external_ref_exists',
      details: { existing_id: brand.id },
    });
    expect(await countBrands(orgId)).toBe(1);
  });

  test('conflict with a partial failure when a competitor is refused for another reason than the limit', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    // The first attempt stopped after creating the brand, and the brand was archived afterwards.
    const operationId = randomUUID();
    await catalog.sql.query('insert into operation_progress (operation_id, brand_id) values ($1, $2)', [
      operationId,
      brand.id,
    ]);
    const body = {
      name: brand.name,
      domain: brand.domain,
      competitors: [
        { name: 'c', domain: newHost() },
        { name: 'd', domain: newHost() },
      ],
    };
    const first = await create(orgId, body, operationId);
    expect(first.refusal).toMatchObject({
      status: 409,
      code: 'conflict',
      details: {
        brand_id: brand.id,
        brand: { id: brand.id, competitors: [], markets: [] },
        competitors: [
          { status: 'failed', error: { code: 'brand_archived' } },
          { status: 'failed', error: { code: 'brand_archived' } },
        ],
      },
    });
    await catalog.call(operatorRestoreBrand, { params: { brandId: brand.id } });
    const again = await create(orgId, body, operationId);
    expect(again.error).toEqual(first.error);
  });
});

describe('422', () => {
  test('country_cap_exceeded names both sides and comes before brand_cap_exceeded', async () => {
    const orgId = await catalog.addOrg('starter');
    const brand = await addBrand(catalog, orgId);
    await addPrompt(catalog, { orgId, brandId: brand.id }, { countries: ['US', 'DE'] });
    const body = { name: 'a', domain: newHost(), markets: ['FR', 'US', 'GB'] };
    expect((await create(orgId, body)).refusal).toEqual({
      status: 422,
      code: 'country_cap_exceeded',
      details: {
        tier: 'starter',
        cap: 3,
        attempted: 4,
        countries_in_use: ['DE', 'US'],
        countries_requested: ['FR', 'GB', 'US'],
      },
    });
    expect((await create(orgId, { ...body, markets: ['US', 'GB'] })).refusal).toEqual({
      status: 422,
      code: 'brand_cap_exceeded',
      details: { tier: 'starter', cap: 1, attempted: 2 },
    });
    expect(await countBrands(orgId)).toBe(1);
  });

  test('competitor_cap_exceeded: applied, failed, not attempted; the brand stays; a retry returns the same response', async () => {
    const orgId = await catalog.addOrg('starter');
    const operationId = randomUUID();
    const competitors = Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, domain: newHost() }));
    const body = { name: 'a', domain: newHost(), markets: ['US'], competitors };
    const response = await create(orgId, body, operationId);
    expect(response.refusal).toMatchObject({ status: 422, code: 'competitor_cap_exceeded' });
    const details = response.error.details as PropertyPartialFailure;
    expect(details.competitors.map(({ status }) => status)).toEqual([
      'applied',
      'applied',
      'applied',
      'failed',
      'not_attempted',
      'not_attempted',
    ]);
    expect(details.competitors[0]).toEqual({
      ...competitors[0],
      status: 'applied',
      competitor_id: details.brand.competitors[0]?.id,
      reused: false,
    });
    expect(details.competitors[3]).toMatchObject({ error: { code: 'competitor_cap_exceeded' } });
    expect(details.brand).toMatchObject({ id: details.brand_id, markets: ['US'] });
    expect(details.brand.competitors).toHaveLength(3);
    expect(await countBrands(orgId)).toBe(4);
    expect((await create(orgId, body, operationId)).error).toEqual(response.error);
    expect(await countBrands(orgId)).toBe(4);
  });
});

describe('under parallel load', () => {
  test('50 creates at one below the limit admit exactly one (brand_cap_exceeded for the others)', async () => {
    const orgId = await catalog.addOrg('growth', { own_brands: 1 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        retryUnavailable(() => create(orgId, { name: 'a', domain: newHost() })),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response.refusal).toEqual({
        status: 422,
        code: 'brand_cap_exceeded',
        details: { tier: 'growth', cap: 1, attempted: 2 },
      });
    }
  });

  test('50 creates of one domain make one brand (brand_exists for the others)', async () => {
    const orgId = await catalog.addOrg('enterprise');
    const domain = newHost();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => retryUnavailable(() => create(orgId, { name: 'a', domain }))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'brand_exists')).toHaveLength(49);
  });
});

testCommonRefusals(createProperty, () => catalog, { name: 'Brand', domain: 'brand.com' });
