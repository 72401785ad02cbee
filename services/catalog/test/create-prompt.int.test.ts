import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrompt as operation } from '@bv/contract';
import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Catalog,
  createBrand,
  createPrompt,
  newHost,
  refusal,
  startCatalog,
  type Wire,
} from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
let orgId: string;
let brandId: string;
beforeAll(async () => {
  catalog = await startCatalog();
  orgId = await catalog.createOrg('enterprise');
  brandId = (await createBrand(catalog, orgId)).id;
});
afterAll(() => catalog.stop());

type Options = Parameters<Catalog['call']>[3];
const create = (
  body: object,
  ownBrand: { orgId: string; id: string } = { orgId, id: brandId },
  options?: Options,
) => catalog.call('POST', `/orgs/${ownBrand.orgId}/brands/${ownBrand.id}/prompts`, body, options);
const createOrgWithBrand = async (tier: string, overrides?: object) => {
  const org = await catalog.createOrg(tier, overrides);
  return { orgId: org, id: (await createBrand(catalog, org)).id as string };
};

describe('201', () => {
  test('defaults, the text trimmed, countries upper case, duplicates collapsed, the key named', async () => {
    const keyId = randomUUID();
    const body = { text: '  Best CRM?\n', countries: ['us', 'US', 'de'], tags: [' a ', 'a', 'b'] };
    const { status, body: response } = await create(body, undefined, { keyId });
    expect(status).toBe(201);
    expect(response.data).toEqual({
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
    const ownBrand = await createOrgWithBrand('growth', { prompts: 0, countries: 0 });
    const body = { text: 'Same', countries: ['US'], active: false };
    expect((await create(body, ownBrand)).status).toBe(201);
    expect((await create(body, ownBrand)).status).toBe(201);
  });

  test('texts of 500 characters are compared as a whole, whatever the length of their case folding', async () => {
    const ownBrand = await createOrgWithBrand('enterprise');
    for (const letter of ['ΐ', '😀', 'a']) {
      const text = letter.repeat(499);
      expect((await create({ text: `${text}1`, countries: ['US'] }, ownBrand)).status).toBe(201);
      expect((await create({ text: `${text}2`, countries: ['US'] }, ownBrand)).status).toBe(201);
      expect(refusal(await create({ text: `${text}1`, countries: ['US'] }, ownBrand)).code).toBe('conflict');
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
    expect(refusal(response)).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.body.error.details).toContainEqual(expect.objectContaining({ code, path }));
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
    const brand = await createBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const response = await create({ text: 'x', countries: ['US'] }, { orgId, id: brand.competitors[0].id });
    expect(refusal(response)).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});

describe('404 not_found', () => {
  test('an unknown brand, or one of another organisation', async () => {
    const other = await createOrgWithBrand('growth');
    for (const id of [randomUUID(), other.id]) {
      expect(refusal(await create({ text: 'x', countries: ['US'] }, { orgId, id }))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
  });

  test('a brand of another organisation with a prompt write in progress: the request does not wait for its lock', async () => {
    const other = await createOrgWithBrand('growth');
    const writer = await catalog.sql.connect();
    try {
      await writer.query('begin');
      const lock = `select pg_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0))`;
      await writer.query(lock, [other.id]);
      const response = await create({ text: 'x', countries: ['US'] }, { orgId, id: other.id });
      expect(refusal(response)).toMatchObject({ status: 404, code: 'not_found' });
    } finally {
      await writer.query('rollback');
      writer.release();
    }
  });
});

describe('409', () => {
  test('conflict on an active prompt with the same text, ignoring case and surrounding space', async () => {
    const prompt = await createPrompt(catalog, { orgId, id: brandId }, { text: 'Straße nach Rom' });
    const response = await create({ text: ' STRASSE NACH ROM ', countries: ['FR'] });
    expect(refusal(response)).toEqual({ status: 409, code: 'conflict', details: { existing_id: prompt.id } });
  });

  test('brand_archived while the brand is archived, also for an inactive prompt', async () => {
    const ownBrand = await createOrgWithBrand('growth');
    await catalog.operator('POST', `/brands/${ownBrand.id}/archive`);
    for (const active of [true, false]) {
      const response = await create({ text: 'x', countries: ['US'], active }, ownBrand);
      expect(refusal(response)).toEqual({
        status: 409,
        code: 'brand_archived',
        details: { brand_id: ownBrand.id },
      });
    }
    await catalog.operator('POST', `/brands/${ownBrand.id}/restore`);
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
  });

  test('prompt_writes_busy after two seconds; other writes of the organisation continue', async () => {
    const ownBrand = await createOrgWithBrand('enterprise');
    const neighbour = await createBrand(catalog, ownBrand.orgId);
    const holder = await catalog.sql.connect();
    try {
      await holder.query('begin');
      await holder.query(`select pg_advisory_xact_lock(hashtextextended('prompt-writer:' || $1, 0))`, [
        ownBrand.id,
      ]);
      const startedAt = performance.now();
      const waiting = create({ text: 'x', countries: ['US'] }, ownBrand);
      await sleep(300);
      expect(
        (await create({ text: 'x', countries: ['US'] }, { orgId: ownBrand.orgId, id: neighbour.id })).status,
      ).toBe(201);
      expect(refusal(await waiting)).toEqual({ status: 409, code: 'prompt_writes_busy', details: undefined });
      expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
  });
});

describe('422', () => {
  test('prompt_cap_exceeded comes before country_cap_exceeded', async () => {
    const ownBrand = await createOrgWithBrand('growth', { prompts: 1, countries: 1 });
    await createPrompt(catalog, ownBrand, { countries: ['US'] });
    expect(refusal(await create({ text: 'x', countries: ['DE'] }, ownBrand))).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'growth', cap: 1, attempted: 2 },
    });
  });

  test('country_cap_exceeded measures the union over all brands of the organisation', async () => {
    const ownBrand = await createOrgWithBrand('growth', { countries: 2 });
    const other = await createBrand(catalog, ownBrand.orgId);
    await createPrompt(catalog, ownBrand, { countries: ['US'] });
    await createPrompt(catalog, { orgId: ownBrand.orgId, id: other.id }, { countries: ['DE'] });
    expect((await create({ text: 'fits', countries: ['DE', 'US'] }, ownBrand)).status).toBe(201);
    expect(refusal(await create({ text: 'x', countries: ['US', 'FR'] }, ownBrand))).toEqual({
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
    const ownBrand = await createOrgWithBrand('growth', { prompts: 2 });
    const other = await createBrand(catalog, ownBrand.orgId);
    await createPrompt(catalog, ownBrand);
    await createPrompt(catalog, { orgId: ownBrand.orgId, id: other.id });
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(422);
    await catalog.operator('POST', `/brands/${other.id}/archive`);
    expect((await create({ text: 'x', countries: ['US'] }, ownBrand)).status).toBe(201);
    await catalog.operator('PATCH', `/orgs/${ownBrand.orgId}`, {
      tier: 'starter',
      overrides: { prompts: 1 },
    });
    const list = await catalog.call('GET', `/orgs/${ownBrand.orgId}/prompts`);
    expect(list.body.data).toHaveLength(3);
    expect(refusal(await create({ text: 'y', countries: ['US'] }, ownBrand))).toEqual({
      status: 422,
      code: 'prompt_cap_exceeded',
      details: { tier: 'starter', cap: 1, attempted: 3 },
    });
  });
});

describe('under parallel load', () => {
  test('50 creates at one below prompt_cap_exceeded admit exactly one, over two brands', async () => {
    const ownBrand = await createOrgWithBrand('growth', { prompts: 1 });
    const other = await createBrand(catalog, ownBrand.orgId);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        retryUnavailable(() =>
          create(
            { text: `p${index}`, countries: ['US'] },
            { orgId: ownBrand.orgId, id: index % 2 ? ownBrand.id : other.id },
          ),
        ),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.error?.code === 'prompt_cap_exceeded')).toHaveLength(49);
  });

  test('50 creates of different countries at one below country_cap_exceeded admit one country', async () => {
    const ownBrand = await createOrgWithBrand('enterprise', { countries: 1 });
    const codes = 'AR AT AU BE BR CA CH CL DE DK'.split(' ');
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        retryUnavailable(() => create({ text: `p${index}`, countries: [codes[index % 10]] }, ownBrand)),
      ),
    );
    const admitted = new Set(
      responses.filter(({ status }) => status === 201).map(({ body }) => body.data.countries[0]),
    );
    expect(admitted.size).toBe(1);
    const org = await catalog.call('GET', `/orgs/${ownBrand.orgId}`);
    expect(org.body.data.usage.countries).toEqual({ used: 1, limit: 1, codes: [...admitted] });
  });

  test('50 creates of one text make one prompt (conflict for the others)', async () => {
    const ownBrand = await createOrgWithBrand('enterprise');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        retryUnavailable(() => create({ text: 'One', countries: ['US'] }, ownBrand)),
      ),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(refusal(response)).toEqual({
        status: 409,
        code: 'conflict',
        details: { existing_id: (created[0] as Wire).body.data.id },
      });
    }
  });
});

testCommonRefusals(operation, () => catalog, { text: 'Which one?', countries: ['US'] });
