import { randomUUID } from 'node:crypto';
import { getOrg, listPrompts, syncPrompts, updatePrompt } from '@bv/contract';
import { retryIfStalled } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addBrand,
  addOrgWithBrand,
  addPrompt,
  type Catalog,
  holdPromptLock,
  startCatalog,
} from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';
import { createSync, row, rows } from './sync.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const { sync, activeTexts } = createSync(() => catalog);

const actions = ({ data }: Awaited<ReturnType<typeof sync>>) =>
  data.results.map(({ text, action }) => `${text}: ${action}`);

describe('200', () => {
  test('every action, with its prompt and the summary', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const kept = await addPrompt(catalog, ownBrand, { text: 'Kept', tags: ['t'], platforms: ['claude'] });
    const changed = await addPrompt(catalog, ownBrand, { text: 'Changed' });
    const back = await addPrompt(catalog, ownBrand, { text: 'Back', active: false });
    const off = await addPrompt(catalog, ownBrand, { text: 'Off' });
    const missing = await addPrompt(catalog, ownBrand, { text: 'Missing' });
    const { status, data } = await sync(ownBrand, {
      prompts: [
        row(' KEPT '),
        row('Changed', { countries: ['DE'] }),
        row('Back'),
        row('Off', { active: false }),
        row('New', { tags: ['x'] }),
      ],
    });
    expect(status).toBe(200);
    const result = (index: number | null, text: string, action: string, prompt_id: unknown) => ({
      index,
      text,
      action,
      prompt_id,
      error: null,
    });
    expect(data).toEqual({
      results: [
        result(null, 'Missing', 'deactivated', missing.id),
        result(0, 'KEPT', 'unchanged', kept.id),
        result(1, 'Changed', 'updated', changed.id),
        result(2, 'Back', 'reactivated', back.id),
        result(3, 'Off', 'deactivated', off.id),
        result(4, 'New', 'created', expect.any(String)),
      ],
      summary: { total: 6, created: 1, updated: 1, reactivated: 1, deactivated: 2, unchanged: 1, failed: 0 },
    });
    expect(await activeTexts(ownBrand)).toEqual(['Back', 'Changed', 'Kept', 'New']);
    const list = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
    const byText = new Map(list.data.map((prompt) => [prompt.text, prompt]));
    // Omitted fields stay unchanged.
    expect(byText.get('Kept')).toEqual(kept);
    expect(byText.get('New')).toMatchObject({
      source: 'sync',
      tags: ['x'],
      platforms: expect.arrayContaining(['chatgpt']),
    });
  });

  test('sync rows: a row that deactivates its prompt keeps its index, a prompt the body lacks has null', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    await sync(ownBrand, rows('listed', 'missing'));
    const { data } = await sync(ownBrand, { prompts: [row('new'), row('listed', { active: false })] });
    expect(data.results).toMatchObject([
      { index: null, text: 'missing', action: 'deactivated' },
      { index: 0, text: 'new', action: 'created' },
      { index: 1, text: 'listed', action: 'deactivated' },
    ]);
  });

  test('empty arrays: platforms omitted or empty are all five for a new prompt, no change of an existing one', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    await addPrompt(catalog, ownBrand, { text: 'old', platforms: ['claude'] });
    const countPlatforms = async () => {
      const { data } = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
      return Object.fromEntries(data.map((each) => [each.text, each.platforms.length]));
    };
    const empty = { prompts: [row('old', { platforms: [] }), row('new', { platforms: [] }), row('omitted')] };
    expect(actions(await sync(ownBrand, empty))).toEqual([
      'old: unchanged',
      'new: created',
      'omitted: created',
    ]);
    expect(await countPlatforms()).toEqual({ old: 1, new: 5, omitted: 5 });
    const tagged = { prompts: empty.prompts.map((each) => ({ ...each, tags: ['t'] })) };
    expect((await sync(ownBrand, tagged)).data.summary).toMatchObject({ updated: 3 });
    expect(await countPlatforms()).toEqual({ old: 1, new: 5, omitted: 5 });
  });

  test('the fields of a result always have the same order, also in a recorded result', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 1 });
    const { data } = await sync(ownBrand, rows('One', 'Two'));
    for (const result of data.results) {
      expect(Object.keys(result)).toEqual(['index', 'text', 'action', 'prompt_id', 'error']);
    }
    expect(Object.keys(data.results[1]?.error ?? {})).toEqual(['code', 'message', 'details']);
  });

  test('the same body again changes nothing', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const body = rows('a', 'b', 'c');
    await sync(ownBrand, body);
    const response = await sync(ownBrand, body);
    expect(response.data.summary).toMatchObject({ total: 3, unchanged: 3 });
  });

  test('deactivate_missing: false leaves what is missing; an empty list deactivates everything', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    await sync(ownBrand, rows('a', 'b'));
    expect(actions(await sync(ownBrand, { ...rows('c'), deactivate_missing: false }))).toEqual([
      'c: created',
    ]);
    expect(await activeTexts(ownBrand)).toEqual(['a', 'b', 'c']);
    expect((await sync(ownBrand, { prompts: [] })).data.summary).toMatchObject({
      total: 3,
      deactivated: 3,
    });
    expect((await sync(ownBrand, { prompts: [] })).data).toMatchObject({
      results: [],
      summary: { total: 0 },
    });
  });

  test('active: false makes or keeps a prompt inactive, and creates it so', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 0 });
    const body = { prompts: [row('a', { active: false })] };
    expect(actions(await sync(ownBrand, body))).toEqual(['a: created']);
    expect(actions(await sync(ownBrand, body))).toEqual(['a: unchanged']);
    const changed = { prompts: [row('a', { active: false, tags: ['x'] })] };
    expect(actions(await sync(ownBrand, changed))).toEqual(['a: updated']);
    expect(await activeTexts(ownBrand)).toEqual([]);
  });

  test('of several prompts with one text a row selects the active one, otherwise the most recently changed', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const older = await addPrompt(catalog, ownBrand, { text: 'Twin', active: false });
    const newer = await addPrompt(catalog, ownBrand, { text: 'twin', active: false });
    const first = await sync(ownBrand, rows('TWIN'));
    expect(first.data.results[0]).toMatchObject({ action: 'reactivated', prompt_id: newer.id });
    await catalog.call(updatePrompt, {
      params: { orgId: ownBrand.orgId, promptId: older.id },
      body: { tags: ['x'] },
    });
    expect((await sync(ownBrand, rows('twin'))).data.results[0]).toMatchObject({
      action: 'unchanged',
      prompt_id: newer.id,
    });
  });

  test('a refused row is failed with its own error, prompt_cap_exceeded or country_cap_exceeded; the rest is applied', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 3, countries: 2 });
    await addPrompt(catalog, ownBrand, { text: 'old 1' });
    await addPrompt(catalog, ownBrand, { text: 'old 2' });
    await addPrompt(catalog, ownBrand, { text: 'old 3' });
    const response = await sync(ownBrand, {
      prompts: [
        row('a', { countries: ['US', 'DE'] }),
        row('b', { countries: ['FR'] }),
        row('c'),
        row('d'),
        row('e'),
      ],
    });
    expect(response.status).toBe(200);
    expect(actions(response).slice(3)).toEqual([
      'a: created',
      'b: failed',
      'c: created',
      'd: created',
      'e: failed',
    ]);
    const { results, summary } = response.data;
    expect(results[4]).toMatchObject({
      index: 1,
      prompt_id: null,
      error: { code: 'country_cap_exceeded', details: { cap: 2, attempted: 3 } },
    });
    expect(results[7]).toMatchObject({
      error: {
        code: 'prompt_cap_exceeded',
        message: expect.any(String),
        details: { tier: 'growth', cap: 3, attempted: 4 },
      },
    });
    expect(summary).toEqual({
      total: 8,
      created: 3,
      updated: 0,
      reactivated: 0,
      deactivated: 3,
      unchanged: 0,
      failed: 2,
    });
  });

  test('prompt_writes_busy fails the rows that write, within one wait for all of them', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    await sync(ownBrand, rows('same', 'gone'));
    const release = await holdPromptLock(catalog, ownBrand);
    try {
      const once = async () => {
        const startedAt = performance.now();
        const response = await sync(ownBrand, rows('same', 'new 1', 'new 2', 'new 3'));
        expect(performance.now() - startedAt).toBeLessThan(5_500);
        return response;
      };
      const response = await retryIfStalled(once, { stallMs: 500 });
      expect(actions(response)).toEqual([
        'gone: failed',
        'same: unchanged',
        'new 1: failed',
        'new 2: failed',
        'new 3: failed',
      ]);
      const codes = response.data.results.map(({ error }) => error?.code);
      expect(codes.filter((code) => code !== undefined)).toEqual(Array(4).fill('prompt_writes_busy'));
    } finally {
      await release();
    }
    expect(await activeTexts(ownBrand)).toEqual(['gone', 'same']);
  });
});

test('503 while the write that holds the lock waits for the database: no row fails', async () => {
  const ownBrand = await addOrgWithBrand(catalog);
  const operationId = randomUUID();
  const release = await holdPromptLock(catalog, ownBrand, { stalled: true });
  try {
    expect((await sync(ownBrand, rows('new'), operationId)).refusal).toMatchObject({
      status: 503,
      code: 'api_unavailable',
    });
  } finally {
    await release();
  }
  expect(actions(await sync(ownBrand, rows('new'), operationId))).toEqual(['new: created']);
});

describe('under parallel load', () => {
  test('eight syncs of one brand: no deadlock, every row has a result, no text twice', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 30 });
    const bodies = Array.from({ length: 8 }, (_, shift) => ({
      prompts: Array.from({ length: 20 }, (_, index) => row(`p${(index + shift * 5) % 40}`)),
    }));
    const responses = await Promise.all(bodies.map((body) => sync(ownBrand, body)));
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.data.results.filter(({ index }) => index !== null)).toHaveLength(20);
    }
    const texts = await activeTexts(ownBrand);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeLessThanOrEqual(30);
    const { data } = await catalog.call(getOrg, { params: { orgId: ownBrand.orgId } });
    expect(data.usage.prompts.used).toBe(texts.length);
  });

  test('syncs of many brands of one organisation stop at the limit exactly (prompt_cap_exceeded)', async () => {
    const orgId = await catalog.addOrg('enterprise', { prompts: 50 });
    const brands = [];
    for (let index = 0; index < 6; index += 1) brands.push((await addBrand(catalog, orgId)).id);
    const body = { prompts: Array.from({ length: 20 }, (_, index) => row(`p${index}`)) };
    const responses = await Promise.all(brands.map((brandId) => sync({ orgId, brandId }, body)));
    const created = responses.map(({ data }) => data.summary.created);
    const failed = responses.map(({ data }) => data.summary.failed);
    expect(created.reduce((sum, count) => sum + count)).toBe(50);
    expect(failed.reduce((sum, count) => sum + count)).toBe(70);
  });
});

testCommonRefusals(syncPrompts, () => catalog, { prompts: [] });
