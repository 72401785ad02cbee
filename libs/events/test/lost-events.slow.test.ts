import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { transaction } from '@bv/postgres';
import { createLogger } from '@bv/telemetry';
import { eventually, startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  publishEvents,
  startConsumer,
  startRelay,
  streamName,
} from '../src/index.ts';
import type { Nats, Relay } from '../src/index.ts';
import { ensureStream } from '../src/nats/stream.ts';
import { brandData, log, metrics, openDatabase } from './service.ts';
import type { TestDatabase } from './service.ts';
import { consumerInfo, countMessages, deleteStream } from './stream.ts';

let server: TestServer;
let nats: Nats;
let db: TestDatabase;
let relays: Relay[];
let lines: { msg: string; events: number }[];

beforeEach(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test', log, deadlineMs: 5_000 });
  db = await openDatabase();
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const telling = createLogger({ service: 'evtest', level: 'warn', destination });
  const options = { pool: db.pool, nats, service: 'evtest', log: telling, metrics };
  relays = await Promise.all([startRelay(options), startRelay(options)]);
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await db.drop();
  await nats.close();
  await server.stop();
});

const addToOutbox = (count: number, change?: Parameters<typeof brandData>[0]): Promise<string[]> =>
  transaction(db.pool, (tx) => {
    const publications = Array.from({ length: count }, () => brandData(change));
    return publishEvents(
      tx,
      brandChanged,
      publications.map((data) => ({ aggregateId: data.id, version: 1, data })),
    );
  });

async function publish(count: number): Promise<string[]> {
  const ids = await addToOutbox(count);
  await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
  return ids;
}

const idsInStream = async (): Promise<string[]> => {
  const { streams } = await jetstreamManager(nats.connection);
  const { last_seq } = (await streams.info(streamName)).state;
  const sequences = Array.from({ length: last_seq }, (_, index) => index + 1);
  const messages = await Promise.all(sequences.map((seq) => streams.getMessage(streamName, { seq })));
  return messages.flatMap((message) => message?.json<{ id: string }>().id ?? []).toSorted();
};
const expectInStream = (...ids: string[]): Promise<void> =>
  eventually(async () => expect(await idsInStream()).toEqual(ids.toSorted()), { timeoutMs: 20_000 });

/** Sent an hour ago, so that they are not published again together with those around a lost one. */
async function publishEarlier(count: number): Promise<string[]> {
  const ids = await publish(count);
  await db.pool.query(`update outbox set sent_at = sent_at - interval '1 hour'`);
  return ids;
}

test('a new stream gets all events once, although it has others at their sequences by now', async () => {
  const lost = await publishEarlier(30);
  await deleteStream(nats);
  // On a connection that has not had the stream, so at once: no relay sees that it is missing.
  const other = await connectNats({ url: server.url, name: 'other', log, deadlineMs: 5_000 });
  await ensureStream(other);
  await other.close();
  const younger = await publish(60);
  await expectInStream(...lost, ...younger);
  const found = lines.filter(({ msg }) => msg.includes('lost events'));
  expect(found.reduce((sum, { events }) => sum + events, 0)).toBe(30);
});

test('a stream that is back in an earlier state gets the events after it', async () => {
  const kept = await publishEarlier(20);
  const backup = `${server.dir}.backup`;
  await server.kill();
  await cp(server.dir, backup, { recursive: true });
  await server.start();
  const lost = await publish(20);
  await server.kill();
  await rm(server.dir, { recursive: true });
  await cp(backup, server.dir, { recursive: true });
  const younger = await addToOutbox(5);
  await server.start();
  await expectInStream(...kept, ...lost, ...younger);
});

test('a consumer past the end of the stream gets the next events', async () => {
  const applied: string[] = [];
  const consumer = await startConsumer({
    pool: db.pool,
    nats,
    service: 'evtest',
    source: 'catalog',
    handlers: { [brandChanged.type]: async (_, { id }) => void applied.push(id) },
    log,
    metrics,
  });
  await publish(20);
  await eventually(async () =>
    expect((await consumerInfo(nats, consumer.name)).ack_floor.stream_seq).toBe(20),
  );
  // As retention does, so that their messages do not fill the stream again.
  await db.pool.query('delete from outbox');
  await server.stop();
  await rm(join(server.dir, 'jetstream/$G/streams', streamName, 'msgs'), { recursive: true });
  const younger = await addToOutbox(5);
  await server.start();
  await eventually(() => expect(applied).toEqual(expect.arrayContaining(younger)), { timeoutMs: 20_000 });
  await consumer.stop();
});

test('a missing directory of the stream is logged with what helps', async () => {
  await eventually(() => countMessages(nats));
  const files = await readdir(server.dir, { recursive: true });
  await rm(join(server.dir, files.find((path) => path.endsWith(`/${streamName}`)) ?? ''), {
    recursive: true,
  });
  // More than a file holds, because NATS goes on writing to one that is open.
  const ids = await addToOutbox(20, { aliases: ['x'.repeat(900_000)] });
  const helps = expect.stringContaining('delete stream BV_EVENTS or restart NATS');
  await eventually(() => expect(lines).toContainEqual(expect.objectContaining({ msg: helps })), {
    timeoutMs: 30_000,
  });
  await deleteStream(nats);
  await flushOutbox({ pool: db.pool, ids, timeoutMs: 20_000 });
});
