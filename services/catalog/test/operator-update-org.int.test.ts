import { randomUUID } from 'node:crypto';
import {
  createPrompt,
  createProperty,
  getOrg,
  linkCompetitor,
  listBrands,
  type Operation,
  operatorArchiveBrand,
  operatorUpdateOrg,
  updatePrompt,
} from '@bv/contract';
import { callRpc, findOrgRpc } from '@bv/events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type OperationResponse } from '@bv/testkit';
import {
  addBrand,
  addPrompt,
  type Catalog,
  countLockWaiters,
  newHost,
  readPublishedHeader,
  startCatalog,
} from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const orgChanged = { subject: 'events.catalog.org.changed.v1', seq: expect.any(Number) };

describe('operatorUpdateOrg', () => {
  test('200: the sent fields are changed, overrides as a whole', async () => {
    const orgId = await catalog.addOrg('growth', { prompts: 5, countries: 1 });
    const response = await catalog.call(operatorUpdateOrg, {
      params: { orgId },
      body: {
        tier: 'scale',
        overrides: { prompts: 6 },
      },
    });
    expect(response.data).toMatchObject({ name: 'Acme', tier: 'scale', overrides: { prompts: 6 } });
    expect(readPublishedHeader(response)).toEqual([orgChanged]);
    const renamed = await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { name: 'New' } });
    expect(renamed.data).toMatchObject({ name: 'New', tier: 'scale', overrides: { prompts: 6 } });
  });

  test('200: the retention is changed as a whole, and is part of the event', async () => {
    const orgId = await catalog.addOrg('growth');
    const update = (retention: object) =>
      catalog.call(operatorUpdateOrg, { params: { orgId }, body: { retention } });
    expect((await update({ answer_text_days: 90, unit_days: 0 })).data.retention).toEqual({
      answer_text_days: 90,
      unit_days: 0,
    });
    const renamed = await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { name: 'New' } });
    expect(renamed.data.retention).toEqual({ answer_text_days: 90, unit_days: 0 });
    expect((await update({ unit_days: 7 })).data.retention).toEqual({ answer_text_days: null, unit_days: 7 });
    const org = await callRpc(catalog.connection, findOrgRpc, { id: orgId });
    expect(org?.data.retention).toEqual({ answer_text_days: null, unit_days: 7 });
  });

  test.each([{ unit_days: 6 }, { unit_days: -1 }, { answer_text_days: 36_501 }, { days: 7 }])(
    '400: retention %j',
    async (retention) => {
      const orgId = await catalog.addOrg('growth');
      const response = await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { retention } });
      expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    },
  );

  test('a smaller plan deletes nothing and rejects additions', async () => {
    const orgId = await catalog.addOrg('growth');
    const brand = await addBrand(catalog, orgId);
    await addBrand(catalog, orgId);
    await addPrompt(catalog, { orgId, brandId: brand.id }, { countries: ['US', 'DE', 'FR', 'GB'] });
    await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { tier: 'starter' } });
    const { data } = await catalog.call(getOrg, { params: { orgId } });
    expect(data.usage).toMatchObject({
      own_brands: { used: 2, limit: 1 },
      countries: { used: 4, limit: 3 },
    });
    const property = await catalog.call(createProperty, {
      params: { orgId },
      body: {
        name: 'x',
        domain: 'more.com',
      },
    });
    expect(property.refusal).toMatchObject({
      code: 'brand_cap_exceeded',
      details: { cap: 1, attempted: 3 },
    });
    expect((await catalog.call(listBrands, { params: { orgId } })).data).toHaveLength(2);
  });

  describe('a write that waits during a change of the tier continues with the new tier', () => {
    let orgId: string;
    let brandId: string;
    let promptId: string;
    beforeAll(async () => {
      orgId = await catalog.addOrg('growth');
      brandId = (await addBrand(catalog, orgId)).id;
      promptId = (await addPrompt(catalog, { orgId, brandId })).id;
    });

    test.each<[string, number, () => Promise<OperationResponse<Operation>>]>([
      ['a property', 201, () => addProperty()],
      [
        'a prompt',
        201,
        () =>
          catalog.call(createPrompt, {
            params: { orgId, brandId },
            body: { text: 'new', countries: ['US'] },
          }),
      ],
      [
        'a competitor',
        201,
        () =>
          catalog.call(linkCompetitor, {
            params: { orgId, brandId },
            body: { name: 'c', domain: newHost() },
          }),
      ],
      [
        'an update',
        200,
        () => catalog.call(updatePrompt, { params: { orgId, promptId }, body: { tags: ['a'] } }),
      ],
      [
        'another tier',
        200,
        () => catalog.call(operatorUpdateOrg, { params: { orgId }, body: { tier: 'growth' } }),
      ],
      [
        'another name',
        200,
        () => catalog.call(operatorUpdateOrg, { params: { orgId }, body: { name: 'New name' } }),
      ],
      ['archiving', 200, () => catalog.call(operatorArchiveBrand, { params: { brandId } })],
    ])('%s: %s', async (_, status, send) => {
      expect((await whileTierChanges(send)).status).toBe(status);
    });

    test('422 by the new tier', async () => {
      orgId = await catalog.addOrg('scale');
      await addBrand(catalog, orgId);
      expect((await whileTierChanges(addProperty, 'starter')).refusal).toMatchObject({
        code: 'brand_cap_exceeded',
        details: { tier: 'starter', cap: 1, attempted: 2 },
      });
    });

    const addProperty = () =>
      catalog.call(createProperty, { params: { orgId }, body: { name: 'x', domain: newHost() } });

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
        await eventually(async () => expect(await countLockWaiters(catalog)).toBeGreaterThan(0));
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
    const orgId = await catalog.addOrg();
    expect(
      (await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { tier: 'x' } })).refusal,
    ).toMatchObject({
      status: 400,
      details: [{ path: 'tier', code: 'invalid_value' }],
    });
    expect((await catalog.call(operatorUpdateOrg, { params: { orgId }, body: {} })).refusal).toMatchObject({
      status: 400,
      details: [{ path: '', code: 'empty_patch' }],
    });
    const tooMany = { overrides: { manual_scans: 2_000_000_001 } };
    expect(
      (await catalog.call(operatorUpdateOrg, { params: { orgId }, body: tooMany })).refusal,
    ).toMatchObject({
      status: 400,
      details: [{ path: 'overrides.manual_scans', code: 'too_big' }],
    });
    expect(
      (await catalog.call(operatorUpdateOrg, { params: { orgId: randomUUID() }, body: { name: 'x' } }))
        .refusal.code,
    ).toBe('not_found');
  });
});

testCommonRefusals(operatorUpdateOrg, () => catalog, { name: 'Acme' });
