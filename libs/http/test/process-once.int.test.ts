import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@bv/contract';
import {
  findOperation,
  pruneOperations,
  recordOperation,
  replayedHeader,
  route,
  processOnce,
} from '@bv/http';
import type { Caller } from '@bv/http';
import { createPool, execute, one, transaction } from '@bv/postgres';
import type { Pool, Transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';
import type { TestDatabase } from '@bv/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createThing } from './operations.ts';
import { asJson, createCaller, startApp } from './start-app.ts';

let database: TestDatabase;
let pool: Pool;
let caller: Caller & { operationId: string };

beforeAll(async () => {
  database = await createDatabase('http');
  const log = createLogger({ service: 'http', level: 'silent' });
  pool = createPool({
    connectionString: database.url,
    applicationName: 'http-test',
    log,
    metrics: createMetrics('http'),
  });
  const read = (name: string) => readFile(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8');
  await pool.query(await read('processed_operations'));
  // Each statement runs alone, outside of a transaction.
  for (const statement of (await read('processed_operations_org')).split(';')) await pool.query(statement);
  await pool.query(`create table things (id uuid primary key, name text not null)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  const operationId = randomUUID();
  caller = { ...createCaller({ operation: 'createThing' }), operationId };
  await pool.query('delete from things');
});

async function insertThing(tx: Transaction, name = 'new') {
  const id = randomUUID();
  await execute(tx, { name: 'insert-thing', text: 'insert into things values ($1, $2)', values: [id, name] });
  return { data: { name, id } };
}

const countThings = async () => {
  const text = 'select count(*) as count from things';
  return (await one<{ count: number }>(pool, { name: 'count-things', text, values: [] })).count;
};

describe('a retry', () => {
  test('gets the first response with the same text, and the work is done once', async () => {
    const first = await processOnce(pool, caller, createThing, (tx) => insertThing(tx));
    const retry = await processOnce(pool, caller, createThing, (tx) => insertThing(tx));
    expect(JSON.stringify(retry.data)).toBe(JSON.stringify(first.data));
    expect([first.replayed, retry.replayed]).toEqual([undefined, true]);
    expect(await countThings()).toBe(1);
    const recorded = await findOperation(pool, caller.operationId);
    expect(recorded).toEqual({ operation: 'createThing', status: 201, body: first });
  });

  test('is marked as replayed for the gateway, also for a refusal', async () => {
    const refusing = new ApiError('brand_exists', { details: { existing_id: randomUUID() } });
    const app = await startApp([
      route(createThing, ({ body, caller: by }) =>
        processOnce(pool, by, createThing, async (tx) =>
          body.name === 'refused' ? refusing : insertThing(tx, body.name),
        ),
      ),
    ]);
    const replayedHeaders = async (name: string, by: Caller) => {
      const { status, headers } = await app.call(`/v1/things/${randomUUID()}/parts`, {
        method: 'POST',
        caller: by,
        ...asJson({ name }),
      });
      return [status, headers.get(replayedHeader)];
    };
    try {
      const another = { ...caller, operationId: randomUUID() };
      expect([await replayedHeaders('new', caller), await replayedHeaders('new', caller)]).toEqual([
        [201, null],
        [201, 'true'],
      ]);
      expect([await replayedHeaders('refused', another), await replayedHeaders('refused', another)]).toEqual([
        [409, null],
        [409, 'true'],
      ]);
    } finally {
      await app.close();
    }
  });

  test('during the first attempt waits for it: twenty in parallel do the work once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        processOnce(pool, caller, createThing, async (tx) => {
          const answer = await insertThing(tx);
          await sleep(50);
          return answer;
        }),
      ),
    );
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await countThings()).toBe(1);
  });

  test('after a first that failed does the work, also one that had been waiting', async () => {
    const begun = Promise.withResolvers<void>();
    const failing = processOnce(pool, caller, createThing, async (tx) => {
      await insertThing(tx);
      begun.resolve();
      await sleep(100);
      throw new Error('broken');
    });
    await begun.promise;
    const waiting = processOnce(pool, caller, createThing, (tx) => insertThing(tx, 'second'));
    await expect(failing).rejects.toThrow('broken');
    expect(await waiting).toMatchObject({ data: { name: 'second' } });
    expect(await countThings()).toBe(1);
  });

  test('with the id of another operation is an internal error', async () => {
    await processOnce(pool, caller, createThing, (tx) => insertThing(tx));
    const other = { ...caller, operation: 'touchThing' };
    await expect(processOnce(pool, other, createThing, (tx) => insertThing(tx))).rejects.toThrow(
      'belongs to createThing',
    );
  });
});

describe('a refusal', () => {
  test('thrown: nothing is kept, nothing is recorded, a retry runs again', async () => {
    const refused = processOnce(pool, caller, createThing, async (tx) => {
      await insertThing(tx);
      throw new ApiError('brand_exists', { details: { existing_id: caller.keyId } });
    });
    await expect(refused).rejects.toMatchObject({ code: 'brand_exists' });
    expect(await countThings()).toBe(0);
    expect(await findOperation(pool, caller.operationId)).toBeUndefined();
    expect(await processOnce(pool, caller, createThing, (tx) => insertThing(tx))).toMatchObject({
      data: { name: 'new' },
    });
  });

  test('returned: what was done is kept, and a retry gets the same refusal', async () => {
    const attempt = () =>
      processOnce(pool, caller, createThing, async (tx) => {
        await insertThing(tx);
        return new ApiError('competitor_cap_exceeded', {
          details: { cap: 3 },
          message: 'The limit is 3',
          retryAfterSeconds: 1,
        });
      });
    const refusal = {
      code: 'competitor_cap_exceeded',
      status: 422,
      message: 'The limit is 3',
      details: { cap: 3 },
      retryAfterSeconds: 1,
    };
    await expect(attempt()).rejects.toMatchObject({ ...refusal, name: 'ApiError' });
    await expect(attempt()).rejects.toMatchObject({ ...refusal, name: 'ReplayedRefusal' });
    expect(await countThings()).toBe(1);
  });
});

test('without an operation id nothing is recorded and every call does the work', async () => {
  const unrecorded = { ...caller, operationId: null };
  await processOnce(pool, unrecorded, createThing, (tx) => insertThing(tx));
  await processOnce(pool, unrecorded, createThing, (tx) => insertThing(tx));
  await transaction(pool, (tx) => recordOperation(tx, unrecorded, { status: 201, body: {} }));
  expect(await countThings()).toBe(2);
});

test('work of several transactions records after each one the response if it stops there', async () => {
  await transaction(pool, (tx) => recordOperation(tx, caller, { status: 422, body: { step: 1 } }));
  expect(await findOperation(pool, caller.operationId)).toMatchObject({ status: 422, body: { step: 1 } });
  await transaction(pool, (tx) => recordOperation(tx, caller, { status: 201, body: { step: 2 } }));
  expect(await findOperation(pool, caller.operationId)).toMatchObject({ status: 201, body: { step: 2 } });
});

test('pruning deletes records older than 48 hours, however many, and no others', async () => {
  await pool.query('delete from processed_operations');
  await pool.query(
    `insert into processed_operations (operation_id, operation, status, body, created_at)
     select gen_random_uuid(), 'createThing', 201, '{}', now() - interval '49 hours' from generate_series(1, 2500)`,
  );
  await processOnce(pool, caller, createThing, (tx) => insertThing(tx));
  expect(await pruneOperations(pool, new AbortController().signal)).toBe(2500);
  expect(await findOperation(pool, caller.operationId)).toBeDefined();
  expect(await pruneOperations(pool, new AbortController().signal)).toBe(0);
});
