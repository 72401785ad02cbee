import { randomUUID } from 'node:crypto';
import { transaction } from '@bv/postgres';
import { waitUntilLocked } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isPurged, waitForWriters } from '../src/purge/org-purges.ts';
import { openDatabase, type TestDatabase } from './service.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.drop());

test('a purge starts after the transactions that have missed its record', async () => {
  const org = randomUUID();
  const order: string[] = [];
  let waiting: Promise<unknown> = Promise.resolve();
  await transaction(db.pool, async (tx) => {
    expect(await isPurged(tx, org)).toBe(false);
    await db.pool.query('insert into org_purges (org_id, requested_at) values ($1, now())', [org]);
    waiting = waitForWriters(db.pool, org).then(() => order.push('purge'));
    await waitUntilLocked(db.pool, 'pg_advisory_xact_lock(');
    order.push('writer');
  });
  await waiting;
  expect(order).toEqual(['writer', 'purge']);
  expect(await transaction(db.pool, (tx) => isPurged(tx, org))).toBe(true);
  expect(await transaction(db.pool, (tx) => isPurged(tx, randomUUID()))).toBe(false);
});
