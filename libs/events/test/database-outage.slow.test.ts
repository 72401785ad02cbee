import { execute, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually, makeReadOnly, startNats, startPostgres } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  listDeadLetterEvents,
  publishEvent,
  startConsumer,
  startRelay,
  waitApplied,
} from '../src/index.ts';
import type { Consumer, Nats, Relay } from '../src/index.ts';
import { brandData, log, metrics, openDatabase } from './service.ts';
import type { TestDatabase } from './service.ts';
import { consumerInfo } from './stream.ts';

let natsServer: TestServer;
let postgres: TestServer;
let nats: Nats;
let publisher: TestDatabase;
let reader: TestDatabase;
let relay: Relay;
let consumer: Consumer;

beforeAll(async () => {
  [natsServer, postgres] = await Promise.all([startNats(), startPostgres()]);
  nats = await connectNats({ url: natsServer.url, name: 'test', log, deadlineMs: 5_000 });
  publisher = await openDatabase();
  reader = await openDatabase(postgres.url);
  await reader.pool.query('create table effects (id text primary key)');
});
afterAll(async () => {
  await Promise.all([consumer.stop(), relay.stop()]);
  await publisher.drop();
  await reader.pool.end();
  await nats.close();
  await Promise.all([natsServer.stop(), postgres.stop()]);
});

const publish = async (count: number): Promise<string[]> =>
  transaction(publisher.pool, async (tx) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const data = brandData();
      ids.push(await publishEvent(tx, brandChanged, { aggregateId: data.id, version: 1, data }));
    }
    return ids;
  });

test('an unavailable database of the consumer costs no event an attempt, and recovery is prompt', async () => {
  relay = await startRelay({ pool: publisher.pool, nats, service: 'evtest', log, metrics });
  consumer = await startConsumer({
    pool: reader.pool,
    nats,
    service: 'evtest',
    source: 'catalog',
    handlers: {
      [brandChanged.type]: async (tx, { data }) => {
        await execute(tx, {
          name: 'insert-effect',
          text: 'insert into effects values ($1)',
          values: [data.id],
        });
      },
    },
    log,
    metrics,
  });
  await publish(10);
  await eventually(async () => {
    const { rows } = await reader.pool.query('select count(*) as n from effects');
    expect(rows).toEqual([{ n: 10 }]);
  });

  // Test servers do not wait for the disk; one commit that does brings all before it to safety.
  await reader.pool.query('begin; set local synchronous_commit = on; create table flushed (); commit');
  await postgres.kill();
  const ids = await publish(100);
  const published = await flushOutbox({ pool: publisher.pool, ids, timeoutMs: 5_000 });
  expect(await waitApplied({ nats, published, timeoutMs: 5_000 })).toEqual({
    ok: false,
    waitingFor: ['evtest-catalog'],
  });
  // Only messages requested before the outage was detected have been delivered.
  const { delivered } = await consumerInfo(nats, 'evtest-catalog');
  expect(delivered.consumer_seq).toBeLessThanOrEqual(10 + 2 * 16);
  await postgres.start();
  // What a busy machine has not given back in time comes again when its wait of 6 s is over, not after minutes.
  expect(await waitApplied({ nats, published, timeoutMs: 30_000 })).toEqual({ ok: true });
  const { rows } = await reader.pool.query('select count(*) as n from effects');
  expect(rows).toEqual([{ n: 110 }]);
  expect(await listDeadLetterEvents(reader.pool, { limit: 1 })).toEqual([]);
});

test("a reader's database that is read-only costs no event an attempt, and recovery is prompt", async () => {
  const adminUrl = new URL(reader.url);
  const { username, password } = new URL(postgres.url);
  Object.assign(adminUrl, { username, password });
  const retries = async (): Promise<number> => {
    const { values } = (await metrics.registry.getSingleMetric('bv_consumer_events_total')?.get()) ?? {
      values: [],
    };
    return values
      .filter(({ labels }) => labels['outcome'] === 'retry' || labels['outcome'] === 'dead')
      .reduce((sum, { value }) => sum + value, 0);
  };
  const before = await retries();
  const makeWritable = await makeReadOnly(adminUrl.href);
  const ids = await publish(100);
  const published = await flushOutbox({ pool: publisher.pool, ids, timeoutMs: 5_000 });
  expect(await waitApplied({ nats, published, timeoutMs: 3_000 })).toEqual({
    ok: false,
    waitingFor: ['evtest-catalog'],
  });
  await makeWritable();
  // As above, some may come again when their wait is over.
  expect(await waitApplied({ nats, published, timeoutMs: 30_000 })).toEqual({ ok: true });
  expect(await retries()).toBe(before);
});

test('deliveries that an outage ended are no attempts, nor do restarts of the consumer change the count', async () => {
  await consumer.stop();
  const attempts: number[] = [];
  const destination = {
    write: (line: string) => {
      const { attempt } = JSON.parse(line) as { attempt?: number };
      if (attempt !== undefined) attempts.push(attempt);
    },
  };
  let outages = 0;
  let deliveries = 0;
  const start = (): Promise<Consumer> =>
    startConsumer({
      pool: reader.pool,
      nats,
      service: 'evtest',
      source: 'catalog',
      handlers: {
        [brandChanged.type]: async (tx) => {
          deliveries += 1;
          // As often as there are attempts. The database is available again at once.
          if (outages < 10) {
            outages += 1;
            const text = 'select pg_terminate_backend(pg_backend_pid())';
            await execute(tx, { name: 'end', text, values: [] });
          }
          throw new Error('a fault of the handler');
        },
      },
      retryDelaysMs: [20],
      log: createLogger({ service: 'evtest', level: 'warn', destination }),
      metrics: createMetrics('evtest'),
    });
  consumer = await start();
  const [id] = await publish(1);
  await eventually(() => expect(attempts).toContain(5), { timeoutMs: 30_000 });
  await consumer.stop();
  consumer = await start();
  const dead = await eventually(async () => {
    const [row] = await listDeadLetterEvents(reader.pool, { limit: 1 });
    expect(row).toMatchObject({ event_id: id, attempts: 10, error: 'a fault of the handler' });
    return row;
  });
  expect(dead).toBeDefined();
  expect(attempts.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(deliveries).toBeGreaterThanOrEqual(20);
});
