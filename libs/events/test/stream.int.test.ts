import { RetentionPolicy, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectNats } from '../src/index.ts';
import type { Nats } from '../src/index.ts';
import { ensureConsumer, ensureStream, streamName } from '../src/nats/stream.ts';
import { log } from './service.ts';
import { consumerInfo, deleteStream } from './stream.ts';

let server: TestServer;
const open: Nats[] = [];

beforeAll(async () => {
  server = await startNats();
});
afterEach(async () => {
  await deleteStream(await connection());
  await Promise.all(open.splice(0).map((nats) => nats.close()));
});
afterAll(async () => {
  await server.stop();
});

async function connection(streamReplicas?: number): Promise<Nats> {
  const nats = await connectNats({ url: server.url, name: 'test', log, deadlineMs: 5_000, streamReplicas });
  open.push(nats);
  return nats;
}

async function configuration(nats: Nats) {
  const { streams } = await jetstreamManager(nats.connection);
  return (await streams.info(streamName)).config;
}

const day = 24 * 60 * 60 * 1_000;

test('services that start at once make one stream', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => connection()));
  await Promise.all(all.map(ensureStream));
  expect(await configuration(await connection())).toMatchObject({
    subjects: ['events.>'],
    retention: 'limits',
    discard: 'new',
    storage: 'file',
    max_age: nanos(7 * day),
    duplicate_window: nanos(5 * 60 * 1_000),
  });
});

test('an older stream is brought up to date; what its operator has set stays', async () => {
  const nats = await connection();
  const { streams } = await jetstreamManager(nats.connection);
  await streams.add({
    name: streamName,
    subjects: ['events.>'],
    retention: RetentionPolicy.Limits,
    max_age: nanos(day),
    max_bytes: 50_000_000,
  });
  await ensureStream(nats);
  expect(await configuration(nats)).toMatchObject({
    max_age: nanos(7 * day),
    discard: 'new',
    max_bytes: 50_000_000,
  });
});

test('a consumer is changed in place and keeps its position', async () => {
  const nats = await connection();
  await ensureStream(nats);
  const consumer = { name: 'a-b', filterSubject: 'events.b.>', ackWaitMs: 30_000, maxAckPending: 256 };
  await Promise.all([1, 2, 3].map(() => ensureConsumer(nats, consumer)));
  const { created } = await consumerInfo(nats, 'a-b');
  await ensureConsumer(nats, { ...consumer, ackWaitMs: 5_000, maxAckPending: 20_000 });
  const changed = await consumerInfo(nats, 'a-b');
  expect(changed.created).toBe(created);
  expect(changed.config).toMatchObject({
    ack_wait: nanos(5_000),
    max_ack_pending: 20_000,
    max_deliver: -1,
    filter_subject: 'events.b.>',
  });
  expect(changed.config.backoff).toBeUndefined();
});
