import { randomUUID } from 'node:crypto';
import {
  getBrand,
  getOrg,
  linkCompetitor,
  listBrands,
  operatorArchiveBrand,
  operatorRestoreBrand,
} from '@bv/contract';
import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const link = (orgId: string, brandId: string, body: object, operationId?: string) =>
  catalog.call(linkCompetitor, {
    params: { orgId, brandId },
    body,
    caller: operationId ? { operationId } : {},
  });
const competitorsOf = async (orgId: string, brandId: string) => {
  const { data } = await catalog.call(getBrand, { params: { orgId, brandId } });
  return data.competitors;
};

describe('201', () => {
  test('a new row, then the same row reused by another brand with its identity kept', async () => {
    const orgId = await catalog.addOrg();
    const [one, other] = [await addBrand(catalog, orgId), await addBrand(catalog, orgId)];
    const host = newHost();
    const sent = { name: 'Globex', aliases: ['R1', ' R1 ', 'R2'], match: { exclude: ['globex team'] } };
    const identity = {
      aliases: ['R1', 'R2'],
      match: { case_sensitive: false, exclude: ['globex team'], verify: false },
      warnings: [],
    };
    const first = await link(orgId, one.id, { ...sent, domain: `https://www.${host}/about` });
    expect(first.status).toBe(201);
    expect(first.data).toEqual({
      id: expect.any(String),
      name: 'Globex',
      domain: host,
      is_own: false,
      external_ref: null,
      geography: 'global',
      sunset_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      ...identity,
      reused: false,
      reprocess_advised: false,
    });
    const second = await link(orgId, other.id, {
      name: 'Another name',
      domain: host.toUpperCase(),
      aliases: ['other'],
      match: { verify: true },
    });
    expect(second.data).toEqual({ ...first.data, reused: true });
    expect(await competitorsOf(orgId, other.id)).toEqual([
      { id: first.data.id, name: 'Globex', domain: host, ...identity },
    ]);
  });

  test('a retry under the same operation id returns the first response', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const operationId = randomUUID();
    const body = { name: 'Globex', domain: newHost() };
    const first = await link(orgId, brand.id, body, operationId);
    expect((await link(orgId, brand.id, body, operationId)).body).toEqual(first.body);
  });

  test('the domain of another own brand of the organisation may be tracked as a competitor', async () => {
    const orgId = await catalog.addOrg();
    const [one, other] = [await addBrand(catalog, orgId), await addBrand(catalog, orgId)];
    const response = await link(orgId, one.id, { name: 'Sister', domain: other.domain });
    expect(response.status).toBe(201);
    expect(response.data.id).not.toBe(other.id);
  });
});

describe('400 validation_error', () => {
  test.each<[string, string, object]>([
    ['invalid_domain', 'domain', { domain: 'not a domain' }],
    ['invalid_domain', 'domain', { domain: 'https://' }],
    ['too_big', 'domain', { domain: 'x'.repeat(2_049) }],
    ['too_small', 'name', { name: '' }],
    ['invalid_format', 'name', { name: '\u3164' }],
    ['invalid_format', 'aliases.0', { aliases: ['\u200b\ufe0f'] }],
    ['too_big', 'name', { name: 'x'.repeat(201) }],
    ['invalid_type', 'name', { name: undefined }],
  ])('%s at %s (case %#)', async (code, path, fields) => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const response = await link(orgId, brand.id, { name: 'Rival', domain: newHost(), ...fields });
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('competitor_is_self, also while archived; own_brand_only for a competitor', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    const self = await link(orgId, brand.id, { name: 'Self', domain: `www.${brand.domain}` });
    expect(self.refusal).toMatchObject({
      status: 400,
      details: [{ path: 'domain', code: 'competitor_is_self' }],
    });
    const nested = await link(orgId, brand.competitors[0]!.id, { name: 'x', domain: newHost() });
    expect(nested.refusal).toMatchObject({
      status: 400,
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});

test('404 not_found for a brand that is not in the organisation', async () => {
  const orgId = await catalog.addOrg();
  const other = await addBrand(catalog, await catalog.addOrg());
  for (const id of [randomUUID(), other.id]) {
    expect((await link(orgId, id, { name: 'x', domain: newHost() })).refusal).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  }
});

describe('409', () => {
  test('conflict when it is linked already', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const response = await link(orgId, brand.id, { name: 'c', domain: brand.competitors[0]?.domain });
    expect(response.refusal).toEqual({
      status: 409,
      code: 'conflict',
      details: { competitor_id: brand.competitors[0]?.id },
    });
  });

  test('brand_archived; accepted once restored', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    const body = { name: 'c', domain: newHost() };
    expect((await link(orgId, brand.id, body)).refusal).toEqual({
      status: 409,
      code: 'brand_archived',
      details: { brand_id: brand.id },
    });
    await catalog.call(operatorRestoreBrand, { params: { brandId: brand.id } });
    expect((await link(orgId, brand.id, body)).data.reused).toBe(false);
  });
});

describe('422 competitor_cap_exceeded', () => {
  test('leaves no row and no link', async () => {
    const orgId = await catalog.addOrg('growth', { competitors_per_brand: 0 });
    const brand = await addBrand(catalog, orgId);
    expect((await link(orgId, brand.id, { name: 'c', domain: newHost() })).refusal).toEqual({
      status: 422,
      code: 'competitor_cap_exceeded',
      details: { tier: 'growth', cap: 0, attempted: 1 },
    });
    const { data } = await catalog.call(listBrands, { params: { orgId } });
    expect(data).toHaveLength(1);
  });

  test('50 links at one below the limit admit exactly one', async () => {
    const orgId = await catalog.addOrg('growth', { competitors_per_brand: 1 });
    const brand = await addBrand(catalog, orgId);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        retryUnavailable(() => link(orgId, brand.id, { name: 'c', domain: newHost() })),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'competitor_cap_exceeded')).toHaveLength(49);
    expect(await competitorsOf(orgId, brand.id)).toHaveLength(1);
  });

  test.each([
    ['the highest plan', {}],
    ['the highest override', { competitors_per_brand: 250 }],
    ['an override without a limit', { competitors_per_brand: null }],
  ])('limits of size: %s ends at 250, so that a brand fits its events', async (_, overrides) => {
    const orgId = await catalog.addOrg('enterprise', overrides);
    const brand = await addBrand(catalog, orgId);
    await catalog.sql.query(
      `with rivals as (
         insert into brands (org_id, is_own, name, domain)
         select $1, false, 'c', 'rival-' || n || '.com' from generate_series(1, 249) n returning id
       )
       insert into brand_competitors (org_id, brand_id, competitor_id) select $1, $2, id from rivals`,
      [orgId, brand.id],
    );
    expect((await link(orgId, brand.id, { name: 'c', domain: newHost() })).status).toBe(201);
    const { data } = await catalog.call(getOrg, { params: { orgId } });
    expect(data.usage.competitors_per_brand).toEqual({ limit: 250, max_used: 250 });
    expect((await link(orgId, brand.id, { name: 'c', domain: newHost() })).refusal).toEqual({
      status: 422,
      code: 'competitor_cap_exceeded',
      details: { tier: 'enterprise', cap: 250, attempted: 251 },
    });
  });

  test('50 links of one domain by five brands make one row', async () => {
    const orgId = await catalog.addOrg('enterprise');
    const brands: string[] = [];
    for (let index = 0; index < 5; index += 1) brands.push((await addBrand(catalog, orgId)).id);
    const domain = newHost();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        retryUnavailable(() => link(orgId, brands[index % 5] ?? '', { name: 'c', domain })),
      ),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(5);
    expect(new Set(created.map(({ data }) => data.id)).size).toBe(1);
    expect(created.filter(({ data }) => !data.reused)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'conflict')).toHaveLength(45);
  });
});

testCommonRefusals(linkCompetitor, () => catalog, { name: 'Rival', domain: 'rival.com' });
