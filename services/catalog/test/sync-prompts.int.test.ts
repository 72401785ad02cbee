import { randomUUID } from 'node:crypto';
import {
  getOrg,
  listPrompts,
  operatorArchiveBrand,
  operatorDeleteOrg,
  syncPrompts,
  updatePrompt,
} from '@bv/contract';
import { eventually, retryIfStalled } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addBrand,
  addOrgWithBrand,
  addPrompt,
  type Catalog,
  countLockWaiters,
  holdPromptLock,
  newHost,
  type OwnBrand,
  startCatalog,
} from './catalog.ts';
import { testCommonRefusals } from './common-refusals.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const sync = (ownBrand: OwnBrand, body: unknown, operationId?: string) =>
  catalog.call(syncPrompts, {
    params: ownBrand,
    body,
    caller: operationId ? { operationId } : {},
  });
const row = (text: string, fields: object = {}) => ({ text, countries: ['US'], ...fields });
const rows = (...texts: string[]) => ({ prompts: texts.map((text) => row(text)) });
const actions = ({ data }: Awaited<ReturnType<typeof sync>>) =>
  data.results.map(({ text, action }) => `${text}: ${action}`);
const activeTexts = async (ownBrand: OwnBrand): Promise<string[]> => {
  const { data } = await catalog.call(listPrompts, {
    params: { orgId: ownBrand.orgId },
    query: `brand_id=${ownBrand.brandId}&active=true&limit=200`,
  });
  return data.map(({ text }) => text).sort();
};
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

describe('400', () => {
  test('duplicate_prompt_text before anything is written', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const response = await sync(ownBrand, rows('One', 'Two', ' ONE', 'two ', 'three'));
    expect(response.refusal).toEqual({
      status: 400,
      code: 'duplicate_prompt_text',
      details: { texts: ['One', 'Two'] },
    });
    expect(await activeTexts(ownBrand)).toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ['invalid_type', 'prompts', {}],
    ['invalid_type', 'prompts', { prompts: null }],
    ['too_big', 'prompts', { prompts: Array.from({ length: 1001 }, (_, index) => row(`p${index}`)) }],
    ['invalid_type', 'deactivate_missing', { prompts: [], deactivate_missing: 'no' }],
    [
      'unsupported_country',
      'prompts.1.countries.1',
      { prompts: [row('a'), row('b', { countries: ['us', 'uk', 'US'] })] },
    ],
    ['too_small', 'prompts.0.countries', { prompts: [row('a', { countries: [] })] }],
    ['too_small', 'prompts.0.text', { prompts: [row(' ')] }],
  ])('validation_error %s at %s (case %#)', async (code, path, body) => {
    const ownBrand = await addOrgWithBrand(catalog);
    const response = await sync(ownBrand, body);
    expect(response.refusal).toMatchObject({ status: 400, code: 'validation_error' });
    expect(response.error.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('validation_error for one bad row of 1,000: nothing is written', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    const prompts = Array.from({ length: 1_000 }, (_, index) => row(`p${index}`));
    prompts[998] = row('bad', { platforms: ['bing'] });
    const response = await sync(ownBrand, { prompts });
    expect(response.error.details).toEqual([
      { path: 'prompts.998.platforms.0', code: 'invalid_value', message: expect.any(String) },
    ]);
    expect(await activeTexts(ownBrand)).toEqual([]);
  });

  test('validation_error own_brand_only for a competitor', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const response = await sync({ orgId, brandId: brand.competitors[0]!.id }, rows('a'));
    expect(response.refusal).toMatchObject({
      status: 400,
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });
});

test('404 not_found for a brand that is not in the organisation', async () => {
  const ownBrand = await addOrgWithBrand(catalog);
  const other = await addOrgWithBrand(catalog);
  for (const id of [randomUUID(), other.brandId]) {
    expect((await sync({ orgId: ownBrand.orgId, brandId: id }, rows('a'))).refusal).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  }
  await catalog.call(operatorDeleteOrg, { params: { orgId: ownBrand.orgId } });
  expect((await sync(ownBrand, rows('a'))).refusal).toMatchObject({ status: 404, code: 'not_found' });
});

test('409 brand_archived for the whole body', async () => {
  const ownBrand = await addOrgWithBrand(catalog);
  await catalog.call(operatorArchiveBrand, { params: { brandId: ownBrand.brandId } });
  for (const body of [rows('a'), { prompts: [] }]) {
    expect((await sync(ownBrand, body)).refusal).toEqual({
      status: 409,
      code: 'brand_archived',
      details: { brand_id: ownBrand.brandId },
    });
  }
});

/** Waits until `count` statements that match `statement` wait for a lock. */
async function waitForLockWaiters(statement: string, count: number): Promise<void> {
  await eventually(async () => expect(await countLockWaiters(catalog, statement)).toBe(count));
}

describe('a retry', () => {
  test('of a completed sync returns the same response and writes nothing', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const operationId = randomUUID();
    const first = await sync(ownBrand, rows('a', 'b'), operationId);
    await sync(ownBrand, rows('c'));
    expect((await sync(ownBrand, rows('a', 'b'), operationId)).body).toEqual(first.body);
    expect(await activeTexts(ownBrand)).toEqual(['c']);
    const left = await catalog.sql.query('select from operation_progress where operation_id = $1', [
      operationId,
    ]);
    expect(left.rowCount).toBe(0);
  });

  test('after a crash continues after the last row and returns the response of the first attempt', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'growth', { prompts: 2 });
    const gone = await addPrompt(catalog, ownBrand, { text: 'gone' });
    const operationId = randomUUID();
    const body = rows('a', 'b', 'c', 'd');
    // The state after a killed process: the missing prompt deactivated, rows 0 and 1 done, row 2 rejected.
    await sync(ownBrand, rows('a', 'b'));
    const { data } = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
    const idOf = (text: string) => data.find((prompt) => prompt.text === text)?.id;
    const outcomes = [
      { index: null, text: 'gone', action: 'deactivated', prompt_id: gone.id, error: null },
      { index: 0, text: 'a', action: 'created', prompt_id: idOf('a'), error: null },
      { index: 1, text: 'b', action: 'created', prompt_id: idOf('b'), error: null },
      {
        index: 2,
        text: 'c',
        action: 'failed',
        prompt_id: null,
        error: { code: 'prompt_cap_exceeded', message: 'x' },
      },
    ];
    await catalog.sql.query('insert into operation_progress (operation_id) values ($1)', [operationId]);
    for (const outcome of outcomes) {
      await catalog.sql.query(
        'insert into operation_steps (operation_id, position, outcome) values ($1, $2, $3)',
        [operationId, outcome.index, JSON.stringify(outcome)],
      );
    }
    const response = await sync(ownBrand, body, operationId);
    expect(response.data.results.slice(0, 4)).toEqual(outcomes);
    expect(response.data.results[4]).toMatchObject({ index: 3, action: 'failed' });
    expect(response.data.summary).toMatchObject({ total: 5, created: 2, deactivated: 1, failed: 2 });
    expect((await sync(ownBrand, body, operationId)).body).toEqual(response.body);
  });

  test('after a crash does not repeat a failed deactivation, and reports it once', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const busy = await addPrompt(catalog, ownBrand, { text: 'busy' });
    const operationId = randomUUID();
    const error = { code: 'prompt_writes_busy', message: 'x' };
    const failed = { index: null, text: 'busy', action: 'failed', prompt_id: busy.id, error };
    await catalog.sql.query('insert into operation_progress (operation_id) values ($1)', [operationId]);
    await catalog.sql.query(
      'insert into operation_steps (operation_id, position, outcome) values ($1, null, $2)',
      [operationId, JSON.stringify(failed)],
    );
    const response = await sync(ownBrand, rows('a'), operationId);
    expect(response.data.results).toMatchObject([failed, { index: 0, text: 'a', action: 'created' }]);
    expect(response.data.summary).toMatchObject({ total: 2, created: 1, deactivated: 0, failed: 1 });
    expect(await activeTexts(ownBrand)).toEqual(['a', 'busy']);
  });

  test('idempotency_key_in_flight for an attempt superseded by a newer one: its row is undone', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const operationId = randomUUID();
    const blocker = await catalog.sql.connect();
    try {
      await blocker.query('begin');
      await blocker.query('select from orgs where id = $1 for update', [ownBrand.orgId]);
      const overtaken = sync(ownBrand, rows('One'), operationId);
      await eventually(async () => {
        const { rowCount } = await catalog.sql.query(
          'update operation_progress set attempt = attempt + 1 where operation_id = $1',
          [operationId],
        );
        expect(rowCount).toBe(1);
      });
      await blocker.query('rollback');
      expect((await overtaken).refusal).toEqual({
        status: 409,
        code: 'idempotency_key_in_flight',
        details: undefined,
      });
    } finally {
      blocker.release();
    }
    expect(await activeTexts(ownBrand)).toEqual([]);
    const done = await sync(ownBrand, rows('One'), operationId);
    expect(done.data.summary).toMatchObject({ total: 1, created: 1 });
  });

  test('during the recording of the first response returns that response and writes nothing', async () => {
    const ownBrand = await addOrgWithBrand(catalog);
    const operationId = randomUUID();
    const [recording, ending] = [await catalog.sql.connect(), await catalog.sql.connect()];
    try {
      await recording.query('begin; lock table processed_operations in share mode');
      const first = sync(ownBrand, rows('One'), operationId);
      await waitForLockWaiters('%processed_operations%', 1);
      await ending.query('begin');
      const held = 'select from operation_progress where operation_id = $1 for update';
      expect((await ending.query(held, [operationId])).rowCount).toBe(1);
      await recording.query('commit');
      await waitForLockWaiters('%operation_progress%', 1);
      const retry = sync(ownBrand, rows('One'), operationId);
      await waitForLockWaiters('%operation_progress%', 2);
      const { data } = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
      await catalog.call(updatePrompt, {
        params: { orgId: ownBrand.orgId, promptId: data[0]!.id },
        body: {
          countries: ['DE'],
        },
      });
      await ending.query('commit');
      expect((await retry).body).toEqual((await first).body);
    } finally {
      for (const client of [recording, ending]) await client.query('rollback');
      for (const client of [recording, ending]) client.release();
    }
    const { data } = await catalog.call(listPrompts, { params: { orgId: ownBrand.orgId } });
    expect(data).toMatchObject([{ text: 'One', countries: ['DE'] }]);
    const left = 'select from operation_progress where operation_id = $1';
    expect((await catalog.sql.query(left, [operationId])).rowCount).toBe(0);
  });

  test('while the first is in progress: one attempt continues, and all successful responses are equal', async () => {
    const ownBrand = await addOrgWithBrand(catalog, 'enterprise');
    const operationId = randomUUID();
    const body = { prompts: Array.from({ length: 100 }, (_, index) => row(`p${index}`)) };
    const responses = await Promise.all([1, 2, 3].map(() => sync(ownBrand, body, operationId)));
    const done = responses.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { body: response } of done) expect(response).toEqual(done[0]?.body);
    for (const response of responses.filter((each) => !done.includes(each))) {
      expect(response.refusal).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
    }
    expect(done[0]?.data.summary).toMatchObject({ total: 100, created: 100 });
    const { rows: stored } = await catalog.sql.query(
      'select count(*)::int as n from prompts where brand_id = $1',
      [ownBrand.brandId],
    );
    expect(stored[0].n).toBe(100);
  });
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
