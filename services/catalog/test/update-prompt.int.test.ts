import { randomUUID } from 'node:crypto';
import {
  getOrg,
  listPrompts,
  operatorArchiveBrand,
  operatorRestoreBrand,
  operatorUpdateOrg,
  updatePrompt,
} from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addOrgWithBrand, addPrompt, type Catalog, holdPromptLock, startCatalog } from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const patch = (orgId: string, promptId: string, body: unknown) =>
  catalog.call(updatePrompt, { params: { orgId, promptId }, body });
describe('200', () => {
  test('the sent fields are changed, the others are kept', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand, { tags: ['a'] });
    const { status, data } = await patch(ownBrand.orgId, prompt.id, {
      countries: ['de', 'DE'],
      platforms: ['claude'],
      ignored: 1,
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...prompt,
      countries: ['DE'],
      platforms: ['claude'],
      updated_at: expect.any(String),
    });
    expect(data.updated_at > prompt.updated_at).toBe(true);
    const cleared = await patch(ownBrand.orgId, prompt.id, { tags: [] });
    expect(cleared.data.tags).toEqual([]);
  });

  test('a patch that changes nothing leaves the prompt unchanged', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand, { countries: ['US', 'DE'] });
    const { data } = await patch(ownBrand.orgId, prompt.id, { countries: ['DE', 'US'], active: true });
    expect(data).toEqual(prompt);
  });

  test('deactivation is never checked; an active prompt may drop countries while above the limit', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth');
    const prompt = await addPrompt(catalog, ownBrand, { countries: ['US', 'DE', 'FR'] });
    await catalog.call(operatorUpdateOrg, {
      params: { orgId: ownBrand.orgId },
      body: { overrides: { prompts: 0, countries: 1 } },
    });
    expect((await patch(ownBrand.orgId, prompt.id, { countries: ['US', 'DE'] })).status).toBe(200);
    expect((await patch(ownBrand.orgId, prompt.id, { tags: ['x'] })).status).toBe(200);
    expect((await patch(ownBrand.orgId, prompt.id, { active: false })).status).toBe(200);
  });

  test('an inactive prompt accepts any countries', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { countries: 1 });
    const prompt = await addPrompt(catalog, ownBrand, { active: false });
    expect((await patch(ownBrand.orgId, prompt.id, { countries: ['US', 'DE', 'FR'] })).status).toBe(200);
  });
});

describe('400', () => {
  test('text_immutable has priority over every other error of the body', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand);
    for (const body of [{ text: 'x' }, { text: prompt.text, active: false }, { text: null, countries: [] }]) {
      expect((await patch(ownBrand.orgId, prompt.id, body)).refusal).toMatchObject({
        status: 400,
        code: 'text_immutable',
      });
    }
  });

  test.each<[string, string, unknown]>([
    ['empty_patch', '', {}],
    ['empty_patch', '', { other: 1 }],
    ['unsupported_country', 'countries.1', { countries: ['US', 'IE'] }],
    ['too_small', 'countries', { countries: [] }],
    ['too_small', 'platforms', { platforms: [] }],
    ['too_big', 'tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    ['invalid_type', 'active', { active: null }],
    ['invalid_type', '', []],
    ['invalid_type', '', 'null'],
  ])('validation_error %s at "%s" (case %#)', async (code, path, body) => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand);
    const response = await patch(ownBrand.orgId, prompt.id, body);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });
});

describe('404 not_found', () => {
  test('a prompt that is not in the organisation', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const other = await addPrompt(catalog, await addOrgWithBrand(catalog));
    for (const id of [randomUUID(), other.id]) {
      expect((await patch(ownBrand.orgId, id, { active: false })).refusal).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });
});

describe('409', () => {
  test('conflict when an active prompt has the same text', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const old = await addPrompt(catalog, ownBrand, { text: 'Same' });
    await patch(ownBrand.orgId, old.id, { active: false });
    const current = await addPrompt(catalog, ownBrand, { text: ' same ' });
    expect((await patch(ownBrand.orgId, old.id, { active: true })).refusal).toEqual({
      status: 409,
      code: 'conflict',
      details: { existing_id: current.id },
    });
  });

  test('brand_archived for every patch except active: false alone; the same request succeeds once restored', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand);
    const other = await addPrompt(catalog, ownBrand);
    await catalog.call(operatorArchiveBrand, { params: { brandId: ownBrand.brandId } });
    for (const body of [
      { active: true },
      { tags: ['x'] },
      { active: false, tags: ['x'] },
      { active: false, countries: ['US'] },
    ]) {
      expect((await patch(ownBrand.orgId, prompt.id, body)).refusal).toEqual({
        status: 409,
        code: 'brand_archived',
        details: { brand_id: ownBrand.brandId },
      });
    }
    const read = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
    expect(read.data).toEqual([prompt, other]);
    expect((await patch(ownBrand.orgId, other.id, { active: false, unknown: true })).status).toBe(200);
    await catalog.call(operatorRestoreBrand, { params: { brandId: ownBrand.brandId } });
    expect((await patch(ownBrand.orgId, prompt.id, { active: false, tags: ['x'] })).data).toMatchObject({
      active: false,
      tags: ['x'],
    });
    const org = await catalog.call(getOrg, { params: { orgId: ownBrand.orgId } });
    expect(org.data.usage.prompts.used).toBe(0);
  });

  test('prompt_writes_busy while another process writes prompts of the brand', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const prompt = await addPrompt(catalog, ownBrand);
    const release = await holdPromptLock(catalog, ownBrand);
    try {
      expect((await patch(ownBrand.orgId, prompt.id, { active: false })).refusal).toMatchObject({
        status: 409,
        code: 'prompt_writes_busy',
      });
    } finally {
      await release();
    }
  });
});

describe('422', () => {
  test('prompt_cap_exceeded on a reactivation', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 1 });
    const old = await addPrompt(catalog, ownBrand, { active: false });
    await addPrompt(catalog, ownBrand);
    expect((await patch(ownBrand.orgId, old.id, { active: true })).refusal).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'growth', cap: 1, attempted: 2 },
    });
  });

  test('country_cap_exceeded on a reactivation and on added countries; removed countries free the limit', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { countries: 2 });
    const inactive = await addPrompt(catalog, ownBrand, { countries: ['FR'], active: false });
    const prompt = await addPrompt(catalog, ownBrand, { countries: ['US', 'DE'] });
    const refused = { status: 422, code: 'country_cap_exceeded' };
    expect((await patch(ownBrand.orgId, inactive.id, { active: true })).refusal).toMatchObject(refused);
    expect((await patch(ownBrand.orgId, prompt.id, { countries: ['US', 'DE', 'FR'] })).refusal).toMatchObject(
      refused,
    );
    expect((await patch(ownBrand.orgId, prompt.id, { countries: ['FR', 'GB'] })).status).toBe(200);
    expect((await patch(ownBrand.orgId, inactive.id, { active: true })).status).toBe(200);
  });

  test('50 reactivations at one below prompt_cap_exceeded admit exactly one', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 1 });
    const prompts = [];
    for (let index = 0; index < 50; index += 1)
      prompts.push(await addPrompt(catalog, ownBrand, { active: false }));
    const responses = await Promise.all(prompts.map(({ id }) => patch(ownBrand.orgId, id, { active: true })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

testCommonRefusals(updatePrompt, () => catalog, { active: false });
