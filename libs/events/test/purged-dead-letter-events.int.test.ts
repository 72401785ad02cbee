import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { upsertDeadLetterEvent } from '../src/consumer/dead-letter-events.ts';
import { listPurgedRows, purgedDeadLetterEvents } from '../src/purge/purge-plan.ts';
import { openDatabase, type TestDatabase } from './service.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.drop());

const store = (envelope: unknown) =>
  upsertDeadLetterEvent(db.pool, {
    consumer: 'results-catalog',
    messageId: randomUUID(),
    eventId: null,
    type: 'catalog.brand.changed.v1',
    envelope,
    error: 'invalid',
    attempts: 1,
  });

test.each([
  ['in a field', (org: string) => ({ id: randomUUID(), subject: randomUUID(), data: { org_id: org } })],
  ['deep in a list', (org: string) => ({ data: { units: [{ ids: [randomUUID(), org] }] } })],
  ['within text that is no JSON', (org: string) => ({ raw: `{"org_id":"${org}","name":"Ac` })],
  ['in capital letters', (org: string) => ({ data: { org_id: org.toUpperCase() } })],
])('a purge finds a dead-letter event with the organisation %s', async (_, toEnvelope) => {
  const [org, other] = [randomUUID(), randomUUID()];
  await store(toEnvelope(org));
  await store(toEnvelope(other));
  const find = (owner: string) => listPurgedRows(db.pool, purgedDeadLetterEvents, { owner, limit: 10 });
  expect(await find(org)).toHaveLength(1);
  expect(await find(randomUUID())).toEqual([]);
});
