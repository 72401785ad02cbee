import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getBrand, operatorArchiveBrand, operatorDeleteOrg, updateBrand } from '@bv/contract';
import { addBrand, addOrgWithBrand, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const patch = (orgId: string, brandId: string, body: unknown, operationId?: string) =>
  catalog.call(updateBrand, {
    params: { orgId, brandId },
    body,
    caller: operationId === undefined ? {} : { operationId },
  });
const read = async (orgId: string, brandId: string) =>
  (await catalog.call(getBrand, { params: { orgId, brandId } })).data;
const defaults = { case_sensitive: false, exclude: [], verify: false };

describe('200', () => {
  test.each<[string, object, object]>([
    ['the name, trimmed', { name: ' Acme Cloud ' }, { name: 'Acme Cloud' }],
    ['aliases without duplicates', { aliases: ['A1', ' A1', 'a1'] }, { aliases: ['A1', 'a1'] }],
    ['no aliases', { aliases: [] }, { aliases: [] }],
    ['geography', { geography: 'EMEA' }, { geography: 'EMEA' }],
    ['the reference removed', { external_ref: null }, { external_ref: null }],
    [
      'the whole of match: omitted members get their default',
      { match: { exclude: ['acme of perfection', ' acme of perfection '] } },
      { match: { ...defaults, exclude: ['acme of perfection'] } },
    ],
    ['match to its defaults', { match: {} }, { match: defaults }],
  ])('%s', async (_, body, changed) => {
    const orgId = await catalog.addOrg();
    const match = { case_sensitive: true, exclude: ['x'], verify: true };
    const brand = await addBrand(catalog, orgId, { external_ref: 'r', aliases: ['Acmetools'], match });
    const { status, data } = await patch(orgId, brand.id, body);
    expect(status).toBe(200);
    const { markets: _m, ...detail } = brand;
    expect(data).toEqual({ ...detail, ...changed, updated_at: expect.any(String) });
    expect(data.updated_at > brand.updated_at).toBe(true);
    expect(await read(orgId, brand.id)).toEqual(data);
  });

  test('nothing is written if nothing changes', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { aliases: ['a'], match: { verify: true } });
    const body = { name: brand.name, aliases: ['a'], match: { verify: true }, external_ref: null, other: 1 };
    expect((await patch(orgId, brand.id, body)).data.updated_at).toBe(brand.updated_at);
  });

  test('an archived brand', async () => {
    const { orgId, brandId } = await addOrgWithBrand(catalog);
    await catalog.call(operatorArchiveBrand, { params: { brandId } });
    const { data } = await patch(orgId, brandId, { name: 'Later' });
    expect(data).toMatchObject({ name: 'Later', sunset_at: expect.any(String) });
  });

  test('a competitor, with the new identity in the detail of every brand that tracks it', async () => {
    const orgId = await catalog.addOrg();
    const competitors = [{ name: 'Globex', domain: newHost() }];
    const own = [
      await addBrand(catalog, orgId, { competitors }),
      await addBrand(catalog, orgId, { competitors }),
    ];
    const { id, domain } = own[0]!.competitors[0]!;
    const changed = { name: 'Globex & Co', aliases: ['R&C'], match: { ...defaults, case_sensitive: true } };
    expect((await patch(orgId, id, changed)).data).toMatchObject({ ...changed, domain, competitors: [] });
    for (const brand of own) {
      expect((await read(orgId, brand.id)).competitors).toEqual([{ id, domain, ...changed, warnings: [] }]);
    }
  });

  test('a retry under the same operation id returns the first response', async () => {
    const { orgId, brandId } = await addOrgWithBrand(catalog);
    const operationId = randomUUID();
    const first = await patch(orgId, brandId, { name: 'Once' }, operationId);
    await patch(orgId, brandId, { name: 'Twice' });
    expect((await patch(orgId, brandId, { name: 'Once' }, operationId)).body).toEqual(first.body);
    expect((await read(orgId, brandId)).name).toBe('Twice');
  });
});

describe('400 validation_error', () => {
  test.each<[string, string, unknown]>([
    ['empty_patch', '', {}],
    ['empty_patch', '', { other: 1 }],
    ['immutable', 'domain', { domain: 'other.com' }],
    ['immutable', 'domain', { domain: null, name: 'x' }],
    ['too_small', 'name', { name: ' ' }],
    ['too_big', 'name', { name: 'x'.repeat(201) }],
    ['invalid_type', 'name', { name: null }],
    ['invalid_format', 'name', { name: 'a\u0000' }],
    ['invalid_format', 'name', { name: '\u200b\u2060' }],
    ['invalid_format', 'aliases.1', { aliases: ['a', '\u3164 \ufe0f'] }],
    ['invalid_format', 'match.exclude.0', { match: { exclude: ['\u00ad'] } }],
    ['too_big', 'aliases', { aliases: Array.from({ length: 21 }, () => 'same') }],
    ['too_small', 'aliases.1', { aliases: ['a', ''] }],
    ['invalid_type', 'aliases', { aliases: null }],
    ['invalid_type', 'match', { match: null }],
    ['invalid_type', 'match.verify', { match: { verify: 'yes' } }],
    ['invalid_type', 'match.case_sensitive', { match: { case_sensitive: null } }],
    ['too_big', 'match.exclude', { match: { exclude: Array.from({ length: 21 }, (_, i) => `p${i}`) } }],
    ['too_big', 'match.exclude.0', { match: { exclude: ['x'.repeat(101)] } }],
    ['invalid_format', 'match.exclude.0', { match: { exclude: ['\ud800'] } }],
    ['too_big', 'geography', { geography: 'x'.repeat(101) }],
    ['too_small', 'external_ref', { external_ref: '' }],
    ['too_big', 'external_ref', { external_ref: 'x'.repeat(256) }],
  ])('%s at "%s" (case %#), and nothing is stored', async (code, path, body) => {
    const { orgId, brandId } = await addOrgWithBrand(catalog);
    const before = await read(orgId, brandId);
    const response = await patch(orgId, brandId, body);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toEqual([expect.objectContaining({ code, path })]);
    expect(await read(orgId, brandId)).toEqual(before);
  });

  test('own_brand_only for geography and external_ref of a competitor, also null', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'Globex', domain: newHost() }] });
    const body = { name: 'x', geography: 'EMEA', external_ref: null };
    const { refusal, error } = await patch(orgId, brand.competitors[0]!.id, body);
    expect(refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(error.details).toEqual([
      expect.objectContaining({ path: 'geography', code: 'own_brand_only' }),
      expect.objectContaining({ path: 'external_ref', code: 'own_brand_only' }),
    ]);
    expect((await read(orgId, brand.competitors[0]!.id)).name).toBe('Globex');
  });
});

describe('404 not_found', () => {
  test('a brand that is not in the organisation, a deleted organisation', async () => {
    const own = await addOrgWithBrand(catalog);
    const other = await addOrgWithBrand(catalog);
    const refused = { status: 404, code: 'not_found' };
    expect((await patch(own.orgId, other.brandId, { name: 'x' })).refusal).toMatchObject(refused);
    expect((await patch(own.orgId, randomUUID(), { name: 'x' })).refusal).toMatchObject(refused);
    await catalog.call(operatorDeleteOrg, { params: { orgId: own.orgId } });
    expect((await patch(own.orgId, own.brandId, { name: 'x' })).refusal).toMatchObject(refused);
  });
});

describe('409 external_ref_exists', () => {
  test('a reference of another brand, also archived; its own reference is accepted', async () => {
    const orgId = await catalog.addOrg();
    const taken = await addBrand(catalog, orgId, { external_ref: 'taken' });
    const brand = await addBrand(catalog, orgId, { external_ref: 'own' });
    await catalog.call(operatorArchiveBrand, { params: { brandId: taken.id } });
    expect((await patch(orgId, brand.id, { external_ref: 'taken', name: 'x' })).refusal).toEqual({
      status: 409,
      code: 'external_ref_exists',
      details: { existing_id: taken.id },
    });
    expect(await read(orgId, brand.id)).toMatchObject({ external_ref: 'own', name: 'Acme Tools' });
    expect((await patch(orgId, brand.id, { external_ref: 'own', name: 'x' })).status).toBe(200);
    await patch(orgId, taken.id, { external_ref: null });
    expect((await patch(orgId, brand.id, { external_ref: 'taken' })).data.external_ref).toBe('taken');
  });
});

testCommonRefusals(updateBrand, () => catalog, { name: 'x' });
