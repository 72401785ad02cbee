import { randomUUID } from 'node:crypto';
import { getOrg, operatorArchiveBrand, operatorDeleteOrg } from '@bv/contract';
import { findAllowanceRpc, serveRpc } from '@bv/events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const get = (orgId: string, caller: object = {}) => catalog.call(getOrg, { params: { orgId }, caller });

describe('200', () => {
  test('a new organisation on each tier, for an organisation key', async () => {
    for (const [tier, api_access, prompts, brands, countries, competitors] of [
      ['starter', false, 25, 1, 3, 3],
      ['growth', true, 100, 3, 5, 5],
      ['scale', true, 500, 10, 15, 10],
      ['enterprise', true, null, null, null, 250],
    ] as const) {
      const orgId = await catalog.addOrg(tier);
      const { status, data } = await get(orgId);
      expect(status).toBe(200);
      expect(data).toEqual({
        id: orgId,
        name: 'Acme',
        link_scope: 'owner',
        external_ref: null,
        created_at: expect.any(String),
        tier,
        api_access,
        updated_at: expect.any(String),
        usage: {
          prompts: { used: 0, limit: prompts },
          own_brands: { used: 0, limit: brands },
          countries: { used: 0, limit: countries, codes: [] },
          competitors_per_brand: { limit: competitors, max_used: 0 },
          manual_scans: null,
          scan_credits: null,
          answers: null,
        },
      });
    }
  });

  test("a partner's link is returned; overrides replace the limits of the tier", async () => {
    const orgId = await catalog.addOrg('starter', { api_access: true, prompts: null, countries: 0 });
    const link = { scope: 'read_only' as const, externalRef: 'theirs' };
    const { data } = await get(orgId, { link, owner: { kind: 'partner', id: randomUUID() } });
    expect(data).toMatchObject({ link_scope: 'read_only', external_ref: 'theirs', api_access: true });
    expect(data.usage).toMatchObject({
      prompts: { limit: null },
      countries: { limit: 0 },
      own_brands: { limit: 1 },
    });
  });

  test('usage counts the active prompts of brands that are not archived', async () => {
    const orgId = await catalog.addOrg('enterprise');
    const competitors = [1, 2, 3].map(() => ({ name: 'c', domain: newHost() }));
    const many = await addBrand(catalog, orgId, { competitors });
    const few = await addBrand(catalog, orgId, { competitors: competitors.slice(1) });
    await addPrompt(catalog, { orgId, brandId: many.id }, { countries: ['US', 'DE'] });
    await addPrompt(catalog, { orgId, brandId: few.id }, { countries: ['US', 'FR'] });
    await addPrompt(catalog, { orgId, brandId: few.id }, { countries: ['JP'], active: false });
    expect((await get(orgId)).data.usage).toMatchObject({
      prompts: { used: 2 },
      own_brands: { used: 2 },
      countries: { used: 3, codes: ['DE', 'FR', 'US'] },
      competitors_per_brand: { max_used: 3 },
    });
    await catalog.call(operatorArchiveBrand, { params: { brandId: many.id } });
    expect((await get(orgId)).data.usage).toMatchObject({
      prompts: { used: 1 },
      own_brands: { used: 1 },
      countries: { used: 2, codes: ['FR', 'US'] },
      competitors_per_brand: { max_used: 2 },
    });
  });

  test('manual scans, credits and answers of scans, with the limit of the plan; null while scans does not reply', async () => {
    const orgId = await catalog.addOrg('growth', { manual_scans: 12 });
    const answers = { month: '2026-12', units: 30, cost_usd: 0.3 };
    const allowance = { used: 4, resets_at: '2027-01-01T00:00:00Z', scan_credits: 7, answers };
    const options = { queue: 'scans', log: catalog.log };
    const scans = serveRpc(catalog.connection, findAllowanceRpc, async () => allowance, options);
    await catalog.connection.connection.flush();
    expect((await get(orgId)).data.usage).toMatchObject({
      manual_scans: { used: 4, limit: 12, remaining: 8, resets_at: '2027-01-01T00:00:00Z' },
      scan_credits: 7,
      answers,
    });
    await scans.stop();
    expect((await get(orgId)).data.usage).toMatchObject({
      manual_scans: null,
      scan_credits: null,
      answers: null,
    });
  });
});

test('400 validation_error for an id that is not a UUID', async () => {
  expect((await get('x')).refusal).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: [{ path: 'orgId' }],
  });
});

test('404 not_found for an organisation that is deleted, unknown, or not the caller’s', async () => {
  const orgId = await catalog.addOrg();
  expect((await get(orgId, { orgId: randomUUID() })).refusal).toMatchObject({
    status: 404,
    code: 'not_found',
  });
  await catalog.call(operatorDeleteOrg, { params: { orgId } });
  expect((await get(orgId)).status).toBe(404);
  expect((await get(randomUUID())).status).toBe(404);
});

testCommonRefusals(getOrg, () => catalog);
