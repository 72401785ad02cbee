import { randomUUID } from 'node:crypto';
import { operatorUpdateOrg } from '@bv/contract';
import { publishedHeader, readPublished } from '@bv/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import {
  type Catalog,
  createBrand,
  createPrompt,
  lockWaiters,
  newHost,
  refusal,
  startCatalog,
  type Wire,
} from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const published = (response: Wire) => readPublished(response.headers.get(publishedHeader) ?? undefined);
const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorUpdateOrg', () => {
  test('200: the sent fields are changed, overrides as a whole', async () => {
    const orgId = await catalog.createOrg('growth', { prompts: 5, countries: 1 });
    const response = await catalog.operator('PATCH', `/orgs/${orgId}`, {
      tier: 'scale',
      overrides: { prompts: 6 },
    });
    expect(response.body.data).toMatchObject({ name: 'Acme', tier: 'scale', overrides: { prompts: 6 } });
    expect(published(response)).toEqual([orgChanged]);
    const renamed = await catalog.operator('PATCH', `/orgs/${orgId}`, { name: 'New' });
    expect(renamed.body.data).toMatchObject({ name: 'New', tier: 'scale', overrides: { prompts: 6 } });
  });

  test('a smaller plan deletes nothing and rejects additions', async () => {
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

  describe('a write that waits during a change of the tier continues with the new tier', () => {
    let orgId: string;
    let brandId: string;
    let promptId: string;
    beforeAll(async () => {
      orgId = await catalog.createOrg('growth');
      brandId = (await createBrand(catalog, orgId)).id;
      promptId = (await createPrompt(catalog, { orgId, id: brandId })).id;
    });

    test.each<[string, number, () => Promise<{ status: number; body: Wire }>]>([
      ['a property', 201, () => post('properties', { name: 'x', domain: newHost() })],
      ['a prompt', 201, () => post(`brands/${brandId}/prompts`, { text: 'new', countries: ['US'] })],
      ['a competitor', 201, () => post(`brands/${brandId}/competitors`, { name: 'c', domain: newHost() })],
      ['an update', 200, () => catalog.call('PATCH', `/orgs/${orgId}/prompts/${promptId}`, { tags: ['a'] })],
      ['another tier', 200, () => catalog.operator('PATCH', `/orgs/${orgId}`, { tier: 'growth' })],
      ['another name', 200, () => catalog.operator('PATCH', `/orgs/${orgId}`, { name: 'New name' })],
      ['archiving', 200, () => catalog.operator('POST', `/brands/${brandId}/archive`)],
    ])('%s: %s', async (_, status, send) => {
      expect((await whileTierChanges(send)).status).toBe(status);
    });

    test('422 by the new tier', async () => {
      orgId = await catalog.createOrg('scale');
      await createBrand(catalog, orgId);
      const send = () => post('properties', { name: 'x', domain: newHost() });
      expect(refusal(await whileTierChanges(send, 'starter'))).toMatchObject({
        code: 'brand_cap_exceeded',
        details: { tier: 'starter', cap: 1, attempted: 2 },
      });
    });

    const post = (path: string, body: object) => catalog.call('POST', `/orgs/${orgId}/${path}`, body);

    async function whileTierChanges<T>(send: () => Promise<T>, tier?: string): Promise<T> {
      const client = await catalog.sql.connect();
      try {
        await client.query('begin');
        await client.query(
          `update orgs set tier = coalesce($2, case tier when 'scale' then 'growth' else 'scale' end)
           where id = $1`,
          [orgId, tier],
        );
        const response = send();
        await eventually(async () => expect(await lockWaiters(catalog)).toBeGreaterThan(0));
        await client.query('commit');
        return await response;
      } finally {
        // After a failure the lock must not stay with a pooled connection.
        await client.query('rollback');
        client.release();
      }
    }
  });

  test('400 validation_error for an unknown tier, an empty patch or an invalid limit, 404 not_found', async () => {
    const orgId = await catalog.createOrg();
    expect(refusal(await catalog.operator('PATCH', `/orgs/${orgId}`, { tier: 'x' }))).toMatchObject({
      status: 400,
      details: [{ path: 'tier', code: 'invalid_value' }],
    });
    expect(refusal(await catalog.operator('PATCH', `/orgs/${orgId}`, {}))).toMatchObject({
      status: 400,
      details: [{ path: '', code: 'empty_patch' }],
    });
    const tooMany = { overrides: { manual_scans: 2_000_000_001 } };
    expect(refusal(await catalog.operator('PATCH', `/orgs/${orgId}`, tooMany))).toMatchObject({
      status: 400,
      details: [{ path: 'overrides.manual_scans', code: 'too_big' }],
    });
    expect(refusal(await catalog.operator('PATCH', `/orgs/${randomUUID()}`, { name: 'x' })).code).toBe(
      'not_found',
    );
  });
});

testCommonRefusals(operatorUpdateOrg, () => catalog, { name: 'Acme' });
