import { randomUUID } from 'node:crypto';
import {
  createPrompt,
  listPrompts,
  operatorArchiveBrand,
  operatorRestoreBrand,
  operatorUpdateOrg,
} from '@bv/contract';
import type { Caller } from '@bv/http';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addBrand,
  addOrgWithBrand,
  addPrompt,
  type Catalog,
  countStatements,
  holdPromptLock,
  newHost,
  type OwnBrand,
  startCatalog,
} from './catalog.ts';

let catalog: Catalog;
let orgId: string;
let brandId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.addOrg('enterprise');
  brandId = (await addBrand(catalog, orgId)).id;
});
afterAll(() => catalog.stop());

const create = (body: object, ownBrand: OwnBrand = { orgId, brandId }, caller?: Partial<Caller>) =>
  catalog.call(createPrompt, { params: ownBrand, body, caller });

describe('201', () => {
  test('defaults, the text trimmed, countries upper case, duplicates collapsed, the key named', async () => {
    const keyId = randomUUID();
    const body = { text: '  Best CRM?\n', countries: ['us', 'US', 'de'], tags: [' a ', 'a', 'b'] };
    const { status, data } = await create(body, undefined, { keyId });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(String),
      brand_id: brandId,
      text: 'Best CRM?',
      tags: ['a', 'b'],
      countries: ['US', 'DE'],
      platforms: ['perplexity', 'chatgpt', 'gemini', 'claude', 'ai_overviews'],
      active: true,
      source: 'api',
      created_by_key_id: keyId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('an inactive prompt counts against no limit and may share its text with others', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 0, countries: 0 });
    const body = { text: 'Same', countries: ['US'], active: false };
    expect((await create(body, ownBrand)).status).toBe(201);
    expect((await create(body, ownBrand)).status).toBe(201);
  });

  test('texts of 500 characters are compared as a whole, whatever the length of their case folding', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    for (const letter of ['ΐ', '😀', 'a']) {
      const text = letter.repeat(499);
      expect((await create({ text: `${text}1`, countries: ['US'] }, ownBrand)).status).toBe(201);
      expect((await create({ text: `${text}2`, countries: ['US'] }, ownBrand)).status).toBe(201);
      expect((await create({ text: `${text}1`, countries: ['US'] }, ownBrand)).refusal.code).toBe('conflict');
    }
  });

  test('a retry under the same operation id returns the first response', async () => {
    const operationId = randomUUID();
    const body = { text: 'Retried', countries: ['US'] };
    const [first, second] = await Promise.all([1, 2].map(() => create(body, undefined, { operationId })));
    expect(first?.status).toBe(201);
    expect(second?.body).toEqual(first?.body);
  });
});

const tag = (length: number) => 't'.repeat(length);

describe('400 validation_error', () => {
  test.each<[string, string, object]>([
    ['too_small', 'text', { text: '   ' }],
    ['too_big', 'text', { text: 'x'.repeat(501) }],
    ['invalid_type', 'text', { text: 7 }],
    ['invalid_format', 'text', { text: 'a\u0000' }],
    ['invalid_format', 'text', { text: '\udfff' }],
    ['too_small', 'countries', { countries: [] }],
    ['too_big', 'countries', { countries: Array.from({ length: 30 }, () => 'US') }],
    ['invalid_format', 'countries.0', { countries: ['USA'] }],
    ['unsupported_country', 'countries.2', { countries: ['US', 'us', 'uk'] }],
    ['invalid_type', 'countries', { countries: null }],
    ['too_small', 'platforms', { platforms: [] }],
    ['too_big', 'platforms', { platforms: Array.from({ length: 6 }, () => 'claude') }],
    ['invalid_value', 'platforms.0', { platforms: ['bing'] }],
    ['too_big', 'tags', { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    ['too_small', 'tags.0', { tags: ['  '] }],
    ['too_big', 'tags.0', { tags: [tag(101)] }],
    ['too_big', 'tags.0', { tags: ['😀'.repeat(65)] }],
    ['invalid_format', 'tags.0', { tags: ['a\tb'] }],
    ['invalid_type', 'active', { active: 'true' }],
    ['invalid_type', 'active', { active: null }],
  ])('%s at %s (case %#)', async (code, path, fields) => {
    const response = await create({ text: 'Never stored', countries: ['US'], ...fields });
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('the maximum of every field is accepted', async () => {
    const body = {
      text: '😀'.repeat(500),
      countries: Array.from({ length: 29 }, () => 'us'),
      platforms: ['claude', 'claude', 'claude', 'claude', 'claude'],
      tags: [tag(100), '😀'.repeat(64), ...Array.from({ length: 48 }, (_, index) => `t${index}`)],
    };
    expect((await create(body)).status).toBe(201);
  });

  test('own_brand_only for a competitor', async () => {
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const response = await create(
      { text: 'x', countries: ['US'] },
      { orgId, brandId: brand.competitors[0]!.id },
    );
    expect(response.refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});

describe('404 not_found', () => {
  test('an unknown brand, or one of another organisation', async () => {
    const other = await addOrgWithBrand(catalog, 'growth');
    for (const id of [randomUUID(), other.brandId]) {
      expect((await create({ text: 'x', countries: ['US'] }, { orgId, brandId: id })).refusal).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });

  test('a brand of another organisation with a prompt write in progress: the request does not wait for its lock', async () => {
    const other = await addOrgWithBrand(catalog, 'growth');
    const release = await holdPromptLock(catalog, other);
    try {
      const response = await create({ text: 'x', countries: ['US'] }, { orgId, brandId: other.brandId });
      expect(response.refusal).toMatchObject({ status: 404, code: 'not_found' });
    } finally {
      await release();
    }
  });
});

describe('409', () => {
  test('conflict on an active prompt with the same text, ignoring case and surrounding space', async () => {
    const prompt = await addPrompt(catalog, { orgId, brandId }, { text: 'Straße nach Rom' });
    const response = await create({ text: ' STRASSE NACH ROM ', countries: ['FR'] });
    expect(response.refusal).toEqual({ status: 409, code: 'conflict', details: { existing_id: prompt.id } });
  });

  test('brand_archived while the brand is archived, also for an inactive prompt', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth');
    await catalog.call(operatorArchiveBrand, { params: { brandId: ownBrand.brandId } });
    for (const active of [true, false]) {
      const response = await create({ text: 'x', countries: ['US'], active }, ownBrand);
      expect(response.refusal).toEqual({
        status: 409,
        code: 'brand_archived',
        details: { brand_id: ownBrand.brandId },
      });
    }
    await catalog.call(operatorRestoreBrand, { params: { brandId: ownBrand.brandId } });
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
  });

  test('prompt_writes_busy after two seconds; other writes of the organisation continue', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    const neighbour = await addBrand(catalog, ownBrand.orgId);
    const release = await holdPromptLock(catalog, ownBrand);
    try {
      const attempts = await countStatements(catalog, 'catalog.try_prompt_lock');
      const startedAt = performance.now();
      const waiting = create({ text: 'x', countries: ['US'] }, ownBrand);
      // The second attempt shows that it waits.
      await eventually(async () =>
        expect(await countStatements(catalog, 'catalog.try_prompt_lock')).toBeGreaterThan(attempts + 1),
      );
      expect(
        (await create({ text: 'x', countries: ['US'] }, { orgId: ownBrand.orgId, brandId: neighbour.id }))
          .status,
      ).toBe(201);
      expect((await waiting).refusal).toEqual({
        status: 409,
        code: 'prompt_writes_busy',
        details: undefined,
      });
      expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    } finally {
      await release();
    }
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
  });
});

test('503 while the write that holds the lock waits for the database; the same key is used again', async () => {
  const ownBrand = await addOrgWithBrand(catalog, 'growth');
  const operationId = randomUUID();
  const send = () =>
    catalog.call(createPrompt, {
      params: ownBrand,
      body: { text: 'x', countries: ['US'] },
      caller: { operationId },
    });
  const release = await holdPromptLock(catalog, ownBrand, { stalled: true });
  try {
    const { status, code, headers } = await send();
    expect({ status, code }).toEqual({ status: 503, code: 'api_unavailable' });
    expect(headers.get('retry-after')).toBe('5');
  } finally {
    await release();
  }
  expect((await send()).status).toBe(201);
});

describe('422', () => {
  test('prompt_cap_exceeded comes before country_cap_exceeded', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 1, countries: 1 });
    await addPrompt(catalog, ownBrand, { countries: ['US'] });
    expect((await create({ text: 'x', countries: ['DE'] }, ownBrand)).refusal).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'growth', cap: 1, attempted: 2 },
    });
  });

  test('country_cap_exceeded measures the union over all brands of the organisation', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { countries: 2 });
    const other = await addBrand(catalog, ownBrand.orgId);
    await addPrompt(catalog, ownBrand, { countries: ['US'] });
    await addPrompt(catalog, { orgId: ownBrand.orgId, brandId: other.id }, { countries: ['DE'] });
    expect((await create({ text: 'fits', countries: ['DE', 'US'] }, ownBrand)).status).toBe(201);
    expect((await create({ text: 'x', countries: ['US', 'FR'] }, ownBrand)).refusal).toEqual({
      status: 422,
      code: 'country_cap_exceeded',
      details: {
        tier: 'growth',
        cap: 2,
        attempted: 3,
        countries_in_use: ['DE', 'US'],
        countries_requested: ['FR', 'US'],
      },
    });
  });

  test('archived brands free their share of the limit; a smaller plan deletes nothing and rejects additions (prompt_cap_exceeded)', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 2 });
    const other = await addBrand(catalog, ownBrand.orgId);
    await addPrompt(catalog, ownBrand);
    await addPrompt(catalog, { orgId: ownBrand.orgId, brandId: other.id });
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(422);
    await catalog.call(operatorArchiveBrand, { params: { brandId: other.id } });
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
    await catalog.call(operatorUpdateOrg, {
      params: { orgId: ownBrand.orgId },
      body: {
        tier: 'starter',
        overrides: { prompts: 1 },
      },
    });
    const list = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
    expect(list.data).toHaveLength(3);
    expect((await create({ text: 'y', countries: ['US'] }, ownBrand)).refusal).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'starter', cap: 1, attempted: 3 },
    });
  });
});
