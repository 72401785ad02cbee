import { randomUUID } from 'node:crypto';
import { listPrompts, updatePrompt } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addOrgWithBrand, addPrompt, type Catalog, countLockWaiters, startCatalog } from './catalog.ts';
import { createSync, row, rows } from './sync.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const { sync, activeTexts } = createSync(() => catalog);

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
          // A purge finds an interrupted sync by its brand.
          'update operation_progress set attempt = attempt + 1 where operation_id = $1 and brand_id = $2',
          [operationId, ownBrand.brandId],
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
