import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execute, transaction } from '@bv/postgres';
import type { Transaction } from '@bv/postgres';
import { eventually, startNats, retryIfStalled } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  listDeadEvents,
  orgChanged,
  promptChanged,
  publishEvent,
  redriveDeadEvent,
  republish,
  startConsumer,
  startRelay,
  waitApplied,
} from '../src/index.ts';
import type { Consumer, ConsumerOptions, Nats, Relay } from '../src/index.ts';
import { createMetrics } from '@bv/telemetry';
import { brandData, log, metrics, openDatabase, promptData } from './service.ts';
import type { TestDatabase } from './service.ts';
import { AckPolicy } from '@nats-io/jetstream';
import { ensureStream, manager, streamName } from '../src/nats/stream.ts';
import { consumerInfo, deleteStream } from './stream.ts';

type CatalogOptions = ConsumerOptions<'catalog'>;

let server: TestServer;
let nats: Nats;
let db: TestDatabase;
let relay: Relay;
let consumers: Consumer[];

beforeAll(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test', log, deadlineMs: 5_000 });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(async () => {
  db = await openDatabase();
  await db.pool.query(
    'create table effects (id text primary key, times int not null, version bigint, name text)',
  );
  relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
  consumers = [];
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await relay.stop();
  await deleteStream(nats);
  await db.drop();
});

async function consume(options: Partial<CatalogOptions>): Promise<Consumer> {
  const consumer = await startConsumer({
    pool: db.pool,
    nats,
    service: 'evtest',
    source: 'catalog',
    handlers: {},
    log,
    metrics,
    ...options,
  });
  consumers.push(consumer);
  return consumer;
}

async function publishBrands(
  brands: { data: ReturnType<typeof brandData>; version: number }[],
): Promise<string[]> {
  return transaction(db.pool, async (tx) => {
    const ids: string[] = [];
    for (const { data, version } of brands) {
      ids.push(await publishEvent(tx, brandChanged, { aggregateId: data.id, version, data }));
    }
    return ids;
  });
}

const someBrands = (count: number) =>
  Array.from({ length: count }, () => ({ data: brandData(), version: 1 }));

async function publishAndApply(count: number): Promise<string[]> {
  const ids = await publishBrands(someBrands(count));
  const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
  expect(await waitApplied({ nats, published, timeoutMs: 20_000 })).toEqual({ ok: true });
  return ids;
}

async function countEffect(tx: Transaction, id: string): Promise<void> {
  await execute(tx, {
    name: 'count-effect',
    text: `insert into effects (id, times) values ($1, 1) on conflict (id) do update set times = effects.times + 1`,
    values: [id],
  });
}

async function effects(): Promise<{ rows: number; most: number }> {
  const { rows } = await db.pool.query(
    'select count(*) as rows, coalesce(max(times), 0) as most from effects',
  );
  return rows[0];
}

const counting: CatalogOptions['handlers'] = {
  [brandChanged.type]: (tx, { data }) => countEffect(tx, data.id),
};

describe('an effect happens once', () => {
  test('when every event is delivered again', async () => {
    await consume({ handlers: counting });
    const before = new Date();
    const ids = await publishAndApply(100);
    await republish({ pool: db.pool, since: before });
    const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    expect(await waitApplied({ nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 100, most: 1 });
  });

  test('when consumers are killed in the middle of it, over and over', async () => {
    const file = fileURLToPath(new URL('consumer-process.ts', import.meta.url));
    const start = (): ChildProcess =>
      spawn(process.execPath, ['--conditions=@bv/source', file, db.url, server.url], { stdio: 'ignore' });
    const ids = await publishBrands(someBrands(3_000));
    const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 60_000 });
    let seen = 0;
    for (let round = 1; round <= 4; round += 1) {
      const child = start();
      const target = seen + 300;
      await eventually(async () => expect((await effects()).rows).toBeGreaterThan(target), {
        timeoutMs: 60_000,
        intervalMs: 10,
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      seen = (await effects()).rows;
    }
    expect(seen).toBeLessThan(3_000);
    const last = start();
    expect(await waitApplied({ nats, published, timeoutMs: 120_000 })).toEqual({ ok: true });
    last.kill('SIGKILL');
    await once(last, 'exit');
    expect(await effects()).toEqual({ rows: 3_000, most: 1 });
    const { num_redelivered } = await consumerInfo(nats, 'evtest-catalog');
    expect(num_redelivered).toBe(0);
  }, 420_000);

  test('and the newest version wins, in whatever order the versions come', async () => {
    await consume({
      handlers: {
        [brandChanged.type]: async (tx, { version, data }) => {
          await sleep(Math.random() * 20);
          await execute(tx, {
            name: 'webhooks.upsert_brand',
            text: `insert into effects (id, times, version, name) values ($1, 1, $2, $3)
                   on conflict (id) do update set version = excluded.version, name = excluded.name
                    where effects.version < excluded.version`,
            values: [data.id, version, data.name],
          });
        },
      },
    });
    const id = randomUUID();
    const versions = [7, 3, 9, 1, 10, 2, 8, 4, 6, 5];
    const brands = versions.map((version) => ({ version, data: brandData({ id, name: `v${version}` }) }));
    const published = await flushOutbox({
      pool: db.pool,
      ids: await publishBrands(brands),
      timeoutMs: 5_000,
    });
    await waitApplied({ nats, published, timeoutMs: 10_000 });
    const { rows } = await db.pool.query('select version, name from effects');
    expect(rows).toEqual([{ version: 10, name: 'v10' }]);
  });
});

describe('a handler that fails', () => {
  test('ten times leaves a dead event; redriven, it is applied by its consumer alone', async () => {
    let broken = true;
    let calls = 0;
    let othersCalls = 0;
    const own = createMetrics('evtest');
    const deadTotal = async (): Promise<number | undefined> => {
      const { values } = (await own.registry.getSingleMetric('bv_consumer_dead_total')?.get()) ?? {};
      return values?.find(({ labels }) => labels['type'] === brandChanged.type)?.value;
    };
    await consume({
      metrics: own,
      retryDelaysMs: [10],
      handlers: {
        [brandChanged.type]: async (tx, { data }) => {
          calls += 1;
          await countEffect(tx, data.id);
          if (broken) throw new Error('no room in the shelf');
        },
      },
    });
    await consume({
      service: 'other',
      handlers: {
        [brandChanged.type]: async () => {
          othersCalls += 1;
        },
      },
    });
    // There before the first of them: a series that is born at 1 sets no alert off.
    expect(await deadTotal()).toBe(0);
    const [eventId] = await publishAndApply(1);
    expect(calls).toBe(10);
    expect(await deadTotal()).toBe(1);
    expect(await effects()).toEqual({ rows: 0, most: 0 });
    const [dead, ...more] = await listDeadEvents(db.pool, { limit: 10 });
    expect(more).toEqual([]);
    expect(dead).toMatchObject({
      consumer: 'evtest-catalog',
      event_id: eventId,
      type: 'catalog.brand.changed.v1',
      error: 'no room in the shelf',
      attempts: 10,
      redriven_at: null,
    });
    broken = false;
    // As if the other consumer's memory of it had been pruned: it must not take the message all the same.
    await db.pool.query(`delete from inbox where consumer = 'other-catalog'`);
    const redriven = await redriveDeadEvent(db.pool, dead?.id ?? '');
    const outboxIds = [redriven?.outboxId ?? ''];
    const published = await flushOutbox({ pool: db.pool, ids: outboxIds, timeoutMs: 5_000 });
    expect(await waitApplied({ nats, published, timeoutMs: 5_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 1, most: 1 });
    expect(othersCalls).toBe(1);
    const again = await redriveDeadEvent(db.pool, dead?.id ?? '');
    expect(again).toMatchObject({ outboxId: null, row: { redriven_at: expect.any(String) } });
    expect(await redriveDeadEvent(db.pool, randomUUID())).toBeUndefined();
  });

  test('holds nobody up meanwhile', async () => {
    const poison = brandData();
    await consume({
      retryDelaysMs: [60_000],
      handlers: {
        [brandChanged.type]: async (tx, { data }) => {
          if (data.id === poison.id) throw new Error('poison');
          await countEffect(tx, data.id);
        },
      },
    });
    const ids = await publishBrands([{ data: poison, version: 1 }, ...someBrands(200)]);
    await eventually(async () => expect(await effects()).toEqual({ rows: 200, most: 1 }));
    const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(await waitApplied({ nats, published, timeoutMs: 300 })).toEqual({
      ok: false,
      waitingFor: ['evtest-catalog'],
    });
  });

  /** Fails for every brand but the good one. */
  const failing = (good: string): Partial<CatalogOptions> => ({
    retryDelaysMs: [60_000],
    handlers: {
      [brandChanged.type]: async (tx, { data }) => {
        if (data.id !== good) throw new Error('poison');
        await countEffect(tx, data.id);
      },
    },
  });

  test('holds nobody up, not even three hundred of them', async () => {
    const good = brandData();
    await consume(failing(good.id));
    await publishBrands(someBrands(300));
    await eventually(async () =>
      expect((await consumerInfo(nats, 'evtest-catalog')).num_ack_pending).toBe(300),
    );
    await publishBrands([{ data: good, version: 1 }]);
    await eventually(async () => expect(await effects()).toEqual({ rows: 1, most: 1 }));
    expect(await listDeadEvents(db.pool, { limit: 10 })).toEqual([]);
  });

  test('gets no retry when as many wait for one as the consumer can bear', async () => {
    const good = brandData();
    await consume({ ...failing(good.id), maxAckPending: 40, concurrency: 4 });
    await publishBrands([...someBrands(100), { data: good, version: 1 }]);
    await eventually(async () => expect(await effects()).toEqual({ rows: 1, most: 1 }), {
      timeoutMs: 60_000,
    });
    const dead = await listDeadEvents(db.pool, { limit: 200 });
    expect(dead.length).toBeGreaterThanOrEqual(60);
    expect(new Set(dead.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  });

  test('and what violates the schema, or is no JSON, dies at once', async () => {
    await consume({
      handlers: { ...counting, [promptChanged.type]: (tx, { data }) => countEffect(tx, data.id) },
    });
    const send = (body: unknown, type = brandChanged.type as string): void =>
      nats.connection.publish(`events.${type}`, typeof body === 'string' ? body : JSON.stringify(body));
    const time = new Date().toISOString();
    const id = randomUUID();
    const envelope = { id, source: 'catalog', type: brandChanged.type, subject: 'b', time, version: 1 };
    send({ ...envelope, data: { ...brandData(), name: 42 } });
    send('{"half": ');
    send({ ...envelope, id: randomUUID(), type: promptChanged.type, data: promptData() });
    send({ ...envelope, data: { note: 'nul \u0000 and half \ud800' } });
    await eventually(async () => expect(await listDeadEvents(db.pool, { limit: 10 })).toHaveLength(3));
    const dead = await listDeadEvents(db.pool, { limit: 10 });
    expect(dead.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(dead.filter(({ event_id }) => event_id === id)).toHaveLength(1);
    expect(dead.filter(({ event_id }) => event_id === null)).toHaveLength(1);
    expect(dead.some(({ error }) => error.includes('came under'))).toBe(true);
    await eventually(async () => {
      const info = await consumerInfo(nats, 'evtest-catalog');
      expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0]);
    });
  });
});

test('a consumer that another release has made without a description is waited for', async () => {
  const { consumers: api } = await manager(nats);
  await ensureStream(nats);
  await api.add(streamName, {
    durable_name: 'older-catalog',
    filter_subject: 'events.catalog.>',
    ack_policy: AckPolicy.Explicit,
  });
  const ids = await publishBrands(someBrands(1));
  const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
  expect(await waitApplied({ nats, published, timeoutMs: 500 })).toEqual({
    ok: false,
    waitingFor: ['older-catalog'],
  });
});

test.each([
  ['look', undefined],
  ['look', 'events.catalog.>'],
  ['evtest-catalog-copy', 'events.catalog.>'],
  ['evtest-scans', 'events.catalog.>'],
  ['some-catalog', 'events.catalog.brand.>'],
])('a durable consumer of somebody else is not waited for: %s on %s', async (durable_name, filter) => {
  await consume({ handlers: counting });
  const { consumers: api } = await manager(nats);
  await api.add(streamName, {
    durable_name,
    ack_policy: AckPolicy.Explicit,
    ...(filter === undefined ? {} : { filter_subject: filter }),
  });
  const ids = await publishBrands(someBrands(3));
  const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
  expect(await waitApplied({ nats, published, timeoutMs: 20_000 })).toEqual({ ok: true });
});

describe('what a consumer has no handler for', () => {
  test('is acknowledged: other types of the source, types of the future, fields of the future', async () => {
    const seen: object[] = [];
    await consume({
      handlers: {
        [brandChanged.type]: async (_tx, { data }) => {
          seen.push(data);
        },
      },
    });
    const time = new Date().toISOString();
    const envelope = { id: randomUUID(), source: 'catalog', subject: 'b', time, version: 1, flavour: 'new' };
    const data = brandData();
    const send = (type: string, body: object): void =>
      nats.connection.publish(`events.${type}`, JSON.stringify({ ...envelope, type, data: body }));
    send('catalog.brand.changed.v2', {});
    send(orgChanged.type, {});
    send(brandChanged.type, { ...data, colour: 'red' });
    await eventually(() => expect(seen).toEqual([data]));
    await eventually(async () =>
      expect((await consumerInfo(nats, 'evtest-catalog')).ack_floor.stream_seq).toBe(3),
    );
    expect(await listDeadEvents(db.pool, { limit: 10 })).toEqual([]);
  });
});

describe('when the ground moves', () => {
  test('a deleted stream is made again, and republishing heals it', async () => {
    await consume({ handlers: counting });
    const before = new Date();
    const first = await publishAndApply(20);
    await deleteStream(nats);
    await db.pool.query('truncate effects, inbox');
    expect(await republish({ pool: db.pool, since: before })).toBe(20);
    const published = await flushOutbox({ pool: db.pool, ids: first, timeoutMs: 10_000 });
    await eventually(async () => expect(await effects()).toEqual({ rows: 20, most: 1 }), {
      timeoutMs: 15_000,
    });
    expect(await waitApplied({ nats, published, timeoutMs: 5_000 })).toEqual({ ok: true });
  });

  test('a server killed and started again goes on where it was', async () => {
    await consume({ handlers: counting, ackWaitMs: 1_000 });
    await publishAndApply(10);
    await server.kill();
    const ids = await publishBrands(someBrands(10));
    await server.start();
    const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    expect(await waitApplied({ nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 20, most: 1 });
  });

  test('a server that hangs past its heartbeats is found again', async () => {
    await consume({ handlers: counting, ackWaitMs: 1_000 });
    await publishAndApply(5);
    await server.pause();
    await sleep(7_000);
    await server.resume();
    await publishAndApply(5);
    expect(await effects()).toEqual({ rows: 10, most: 1 });
  });
});

describe('the inbox', () => {
  test('forgets after 14 days, which is twice what the stream remembers', async () => {
    await db.pool.query(
      `insert into inbox (consumer, event_id, received_at)
       select 'evtest-catalog', gen_random_uuid(), now() - make_interval(days => day)
         from generate_series(12, 17) as day, generate_series(1, 500)`,
    );
    await consume({ handlers: counting });
    await eventually(async () => expect((await db.pool.query('select 1 from inbox')).rowCount).toBe(1_000));
  });

  test('events that a handler publishes are sent right after its commit', async () => {
    await consume({
      handlers: {
        [brandChanged.type]: async (tx, { data }) => {
          const derived = promptData({ brand_id: data.id });
          await publishEvent(tx, promptChanged, { aggregateId: derived.id, version: 1, data: derived });
        },
        [promptChanged.type]: (tx, { data }) => countEffect(tx, data.id),
      },
    });
    const once = async (): Promise<void> => {
      const { rows: before } = await effects();
      const started = performance.now();
      for (let round = 0; round < 10; round += 1) await publishAndApply(1);
      await eventually(async () => expect((await effects()).rows).toBe(before + 10), { intervalMs: 5 });
      // At the pace of the idle poll it would take five seconds.
      expect(performance.now() - started).toBeLessThan(4_500);
    };
    await retryIfStalled(once, { stallMs: 100 });
  });
});

describe('a stop', () => {
  test('ends what has begun, hands back the rest and loses nothing', async () => {
    let begun = 0;
    let ended = 0;
    const slow: CatalogOptions['handlers'] = {
      [brandChanged.type]: async (tx, { data }) => {
        begun += 1;
        await countEffect(tx, data.id);
        await sleep(200);
        ended += 1;
      },
    };
    const consumer = await consume({ handlers: slow, concurrency: 4 });
    const ids = await publishBrands(someBrands(40));
    await eventually(() => expect(begun).toBeGreaterThanOrEqual(4), { intervalMs: 5 });
    await consumer.stop();
    expect(ended).toBe(begun);
    expect((await effects()).rows).toBe(ended);
    expect((await consumerInfo(nats, 'evtest-catalog')).ack_floor.stream_seq).toBeGreaterThanOrEqual(1);
    await consume({ handlers: counting });
    const published = await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(await waitApplied({ nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 40, most: 1 });
  });

  const deliveries = async (): Promise<number> =>
    (await consumerInfo(nats, 'evtest-catalog')).delivered.consumer_seq;

  test('a message whose handler is slower than ack_wait is not delivered again', async () => {
    let calls = 0;
    const slowly = async () => {
      calls += 1;
      await sleep(6_000);
    };
    await consume({ ackWaitMs: 2_400, handlers: { [brandChanged.type]: slowly } });
    const once = async (): Promise<void> => {
      const before = { calls, deliveries: await deliveries() };
      await publishAndApply(1);
      expect(calls).toBe(before.calls + 1);
      expect(await deliveries()).toBe(before.deliveries + 1);
    };
    await retryIfStalled(once, { stallMs: 800 });
  }, 120_000);

  test('messages that wait behind slow ones are not delivered again', async () => {
    const slowly = async () => sleep(3_200);
    await consume({ ackWaitMs: 2_400, concurrency: 2, handlers: { [brandChanged.type]: slowly } });
    const once = async (): Promise<void> => {
      const before = await deliveries();
      await publishAndApply(6);
      expect(await deliveries()).toBe(before + 6);
    };
    await retryIfStalled(once, { stallMs: 800 });
  }, 120_000);
});
