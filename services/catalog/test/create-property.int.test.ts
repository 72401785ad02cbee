import { randomUUID } from 'node:crypto';
import {
  createProperty,
  getBrand,
  operatorArchiveBrand,
  operatorDeleteOrg,
  operatorRestoreBrand,
  type PropertyPartialFailure,
  type ValidationDetail,
} from '@bv/contract';
import { retryUnavailable, eventually } from '@bv/testkit';
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
const listDetails = (details: unknown): string[] =>
  (details as ValidationDetail[]).map(({ path, code }) => `${path} ${code}`);
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

describe('a retry after a crash', () => {
  test('continues after the last recorded step and returns the response of the first attempt', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const competitors = Array.from({ length: 3 }, (_, index) => ({ name: `c${index}`, domain: newHost() }));
    const body = { name: 'a', domain: newHost(), external_ref: 'x', markets: ['US'], competitors };
    const first = await create(orgId, body, operationId);
    expect(first.status).toBe(201);
    // As after a crash behind the second competitor: the response and all later steps are undone.
    const { id } = first.data;
    const third = first.data.competitors[2]?.id;
    await catalog.sql.query('delete from processed_operations where operation_id = $1', [operationId]);
    await catalog.sql.query('insert into operation_progress (operation_id, brand_id) values ($1, $2)', [
      operationId,
      id,
    ]);
    for (const [index, { id: competitorId }] of first.data.competitors.slice(0, 2).entries()) {
      const outcome = { status: 'applied', competitor_id: competitorId, reused: false };
      await catalog.sql.query(
        'insert into operation_steps (operation_id, position, outcome) values ($1, $2, $3)',
        [operationId, index, JSON.stringify(outcome)],
      );
    }
    await catalog.sql.query('delete from brand_competitors where competitor_id = $1', [third]);
    const retry = await create(orgId, body, operationId);
    expect(retry.status).toBe(201);
    const { updated_at: _, ...expected } = first.data;
    expect(retry.data).toMatchObject(expected);
    const left = await catalog.sql.query('select from operation_progress where operation_id = $1', [
      operationId,
    ]);
    expect(left.rowCount).toBe(0);
    expect((await create(orgId, body, operationId)).body).toEqual(retry.body);
  });

  test('idempotency_key_in_flight for an attempt superseded by a newer one: its competitor is undone', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const domain = newHost();
    const body = { name: 'a', domain: newHost(), competitors: [{ name: 'c', domain }] };
    const blocker = await catalog.sql.connect();
    try {
      await blocker.query('begin');
      await blocker.query(`insert into brands (org_id, is_own, name, domain) values ($1, false, 'c', $2)`, [
        orgId,
        domain,
      ]);
      const superseded = create(orgId, body, operationId);
      await eventually(async () => {
        const { rowCount } = await catalog.sql.query(
          'update operation_progress set attempt = attempt + 1 where operation_id = $1 and brand_id is not null',
          [operationId],
        );
        expect(rowCount).toBe(1);
      });
      await blocker.query('rollback');
      expect((await superseded).refusal).toEqual({
        status: 409,
        code: 'idempotency_key_in_flight',
        details: undefined,
      });
    } finally {
      blocker.release();
    }
    expect(await countBrands(orgId)).toBe(1);
    const done = await create(orgId, body, operationId);
    expect(done.status).toBe(201);
    expect(done.data.competitors).toMatchObject([{ name: 'c', domain }]);
  });

  test('two parallel requests of one operation create one brand and return one response', async () => {
    const orgId = await catalog.addOrg();
    const operationId = randomUUID();
    const competitors = Array.from({ length: 5 }, (_, index) => ({ name: `c${index}`, domain: newHost() }));
    const body = { name: 'a', domain: newHost(), competitors };
    const responses = await Promise.all([create(orgId, body, operationId), create(orgId, body, operationId)]);
    const done = responses.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    for (const { body: response } of done) expect(response).toEqual(done[0]?.body);
    for (const response of responses.filter((each) => !done.includes(each))) {
      expect(response.refusal).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
    }
    expect(await countBrands(orgId)).toBe(6);
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
