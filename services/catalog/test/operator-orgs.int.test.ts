import { randomUUID } from 'node:crypto';
import { publishedHeader, readPublished } from '@bv/http';
import { callService, testCaller } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, createBrand, createPrompt, refusal, startCatalog, type Wire } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const published = (answer: Wire) => readPublished(answer.headers.get(publishedHeader) ?? undefined);
const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorCreateOrg', () => {
  test('201, and tells where its event stands in the stream', async () => {
    const answer = await catalog.operator('POST', '/orgs', {
      name: ' Acme ',
      tier: 'scale',
      overrides: { prompts: 7 },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      name: 'Acme',
      tier: 'scale',
      overrides: { prompts: 7 },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(published(answer)).toEqual([orgChanged]);
  });

  test.each<[string, string, object]>([
    ['invalid_value', 'tier', { tier: 'platinum' }],
    ['too_small', 'name', { name: ' ' }],
    ['too_big', 'name', { name: 'x'.repeat(201) }],
    ['invalid_type', 'tier', { tier: null }],
    ['too_small', 'overrides.prompts', { overrides: { prompts: -1 } }],
    ['unrecognized_keys', 'overrides.seats', { overrides: { seats: 1 } }],
    ['invalid_type', 'overrides.api_access', { overrides: { api_access: null } }],
  ])('400 validation_error %s at %s', async (code, path, fields) => {
    const answer = await catalog.operator('POST', '/orgs', { name: 'Acme', tier: 'growth', ...fields });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test("a customer's caller is not taken for the operator", async () => {
    const answer = await callService(catalog.baseUrl, {
      method: 'POST',
      path: '/operator/v1/orgs',
      caller: testCaller(),
      body: { name: 'Acme', tier: 'growth' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('operatorListOrgs', () => {
  test('200 by id, paged, without the deleted; invalid_cursor for a forged one', async () => {
    const ids = [await catalog.createOrg(), await catalog.createOrg(), await catalog.createOrg()];
    await catalog.operator('DELETE', `/orgs/${ids[1]}`);
    const met: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await catalog.operator('GET', `/orgs${query}`);
      met.push(...body.data.map(({ id }: Wire) => id));
      if (!body.pagination.has_more) break;
      query = `?limit=2&cursor=${body.pagination.next_cursor}`;
    }
    expect(met).toEqual(met.toSorted());
    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    expect(met).not.toContain(ids[1]);
    expect(refusal(await catalog.operator('GET', '/orgs?cursor=x')).code).toBe('invalid_cursor');
  });
});

describe('operatorGetOrg', () => {
  test('200 with usage, 404 not_found', async () => {
    const orgId = await catalog.createOrg('growth');
    await createBrand(catalog, orgId);
    const { body } = await catalog.operator('GET', `/orgs/${orgId}`);
    expect(body.data).toMatchObject({
      id: orgId,
      tier: 'growth',
      overrides: {},
      usage: { own_brands: { used: 1, limit: 3 } },
    });
    expect(refusal(await catalog.operator('GET', `/orgs/${randomUUID()}`))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

describe('operatorUpdateOrg', () => {
  test('200: what is given is changed, overrides as a whole', async () => {
    const orgId = await catalog.createOrg('growth', { prompts: 5, countries: 1 });
    const answer = await catalog.operator('PATCH', `/orgs/${orgId}`, {
      tier: 'scale',
      overrides: { prompts: 6 },
    });
    expect(answer.body.data).toMatchObject({ name: 'Acme', tier: 'scale', overrides: { prompts: 6 } });
    expect(published(answer)).toEqual([orgChanged]);
    const renamed = await catalog.operator('PATCH', `/orgs/${orgId}`, { name: 'New' });
    expect(renamed.body.data).toMatchObject({ name: 'New', tier: 'scale', overrides: { prompts: 6 } });
  });

  test('a smaller plan leaves everything in place and readable, and refuses more', async () => {
    const orgId = await catalog.createOrg('growth');
    const [brand] = [await createBrand(catalog, orgId), await createBrand(catalog, orgId)];
    await createPrompt(catalog, { orgId, id: brand.id }, { countries: ['US', 'DE', 'FR', 'GB'] });
    await catalog.operator('PATCH', `/orgs/${orgId}`, { tier: 'starter' });
    const { body } = await catalog.call('GET', `/orgs/${orgId}`);
    expect(body.data.usage).toMatchObject({
      own_brands: { used: 2, limit: 1 },
      countries: { used: 4, limit: 3 },
    });
    const property = await catalog.call('POST', `/orgs/${orgId}/properties`, {
      name: 'x',
      domain: 'more.com',
    });
    expect(refusal(property)).toMatchObject({
      code: 'brand_cap_exceeded',
      details: { cap: 1, attempted: 3 },
    });
    expect((await catalog.call('GET', `/orgs/${orgId}/brands`)).body.data).toHaveLength(2);
  });

  test('400 validation_error for an unknown tier or an empty patch, 404 not_found', async () => {
    const orgId = await catalog.createOrg();
    expect(refusal(await catalog.operator('PATCH', `/orgs/${orgId}`, { tier: 'x' }))).toMatchObject({
      status: 400,
      details: [{ path: 'tier', code: 'invalid_value' }],
    });
    expect(refusal(await catalog.operator('PATCH', `/orgs/${orgId}`, {}))).toMatchObject({
      status: 400,
      details: [{ path: '', code: 'empty_patch' }],
    });
    expect(refusal(await catalog.operator('PATCH', `/orgs/${randomUUID()}`, { name: 'x' })).code).toBe(
      'not_found',
    );
  });
});

describe('operatorDeleteOrg', () => {
  test('200 once, then 404 not_found everywhere', async () => {
    const orgId = await catalog.createOrg();
    const brand = await createBrand(catalog, orgId);
    const answer = await catalog.operator('DELETE', `/orgs/${orgId}`);
    expect(answer.body.data).toEqual({ id: orgId, deleted: true });
    expect(published(answer)).toEqual([orgChanged]);
    for (const [method, path, body] of [
      ['DELETE', `/orgs/${orgId}`],
      ['GET', `/orgs/${orgId}`],
      ['PATCH', `/orgs/${orgId}`, { name: 'x' }],
      ['POST', `/brands/${brand.id}/archive`],
    ] as const) {
      expect(refusal(await catalog.operator(method, path, body))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });
});
