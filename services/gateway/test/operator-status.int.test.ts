import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { operatorGetStatus, ResponseData } from '@bv/contract';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const readStatus = async () =>
  (await gateway.operator<ResponseData<typeof operatorGetStatus>>('GET', '/status')).body.data.services;

test('operatorGetStatus 200: the migration and backlogs of a service that runs, the others without a response', async () => {
  const services = await readStatus();
  expect(services.map(({ service, state }) => [service, state])).toEqual([
    ['catalog', 'no_response'],
    ['gateway', 'ok'],
    ['results', 'no_response'],
    ['scans', 'no_response'],
    ['webhooks', 'no_response'],
  ]);
  const migrations = readdirSync(join(import.meta.dirname, '../migrations')).toSorted();
  expect(services[1]).toMatchObject({
    migration: migrations.at(-1)?.replace('.sql', ''),
    dead_events: 0,
    queues: [
      { name: 'outbox', waiting: 0, oldest_seconds: null },
      { name: 'events of catalog', waiting: 0, oldest_seconds: null },
    ],
  });
  expect(services[0]).toEqual({
    service: 'catalog',
    state: 'no_response',
    migration: null,
    dead_events: null,
    queues: [],
  });
});

test('operatorGetStatus 200: dead-letter events are counted', async () => {
  await gateway.sql.query(
    `insert into dead_letter_events (id, consumer, type, envelope, error, attempts, message_id)
     values (gen_random_uuid(), 'gateway-catalog', 'x', '{}', 'failed', 1, 'a')`,
  );
  expect((await readStatus())[1]?.dead_events).toBe(1);
});

test('operatorGetStatus 503 api_unavailable while NATS does not respond', async () => {
  await gateway.nats.pause();
  try {
    const { status, body } = await gateway.operator('GET', '/status');
    expect([status, body.error.message]).toEqual([503, 'NATS cannot be reached now']);
  } finally {
    await gateway.nats.resume();
  }
});
