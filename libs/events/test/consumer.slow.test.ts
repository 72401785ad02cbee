import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execute } from '@bv/postgres';
import { eventually, retryIfStalled } from '@bv/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  brandChanged,
  flushOutbox,
  listDeadLetterEvents,
  orgChanged,
  promptChanged,
  publishEvent,
  republish,
  waitApplied,
} from '../src/index.ts';
import { brandData, promptData } from './service.ts';
import { AckPolicy } from '@nats-io/jetstream';
import { ensureStream, manager, streamName } from '../src/nats/stream.ts';
import { consumerInfo, deleteStream } from './stream.ts';
import { type CatalogOptions, countEffect, counting, someBrands, useConsumers } from './use-consumers.ts';
import { withoutPolls } from './without-polls.ts';

const events = useConsumers();
const { consume, publishBrands, publishAndApply, effects } = events;

describe('an effect happens once', () => {
  test('when every event is delivered again', async () => {
    await consume({ handlers: counting });
    const before = new Date();
    const ids = await publishAndApply(100);
    await republish({ pool: events.db.pool, since: before });
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 10_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 100, most: 1 });
  });

  test('when consumers are killed repeatedly during their work', async () => {
    const file = fileURLToPath(new URL('consumer-process.ts', import.meta.url));
    const start = (): ChildProcess =>
      spawn(process.execPath, ['--conditions=@bv/source', file, events.db.url, events.server.url], {
        stdio: 'ignore',
      });
    const ids = await publishBrands(someBrands(1_200));
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 60_000 });
    let seen = 0;
    for (let round = 1; round <= 4; round += 1) {
      const child = start();
      const target = seen + 100;
      await eventually(async () => expect((await effects()).rows).toBeGreaterThan(target), {
        timeoutMs: 60_000,
        intervalMs: 10,
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      seen = (await effects()).rows;
    }
    expect(seen).toBeLessThan(1_200);
    const last = start();
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 120_000 })).toEqual({ ok: true });
    last.kill('SIGKILL');
    await once(last, 'exit');
    expect(await effects()).toEqual({ rows: 1_200, most: 1 });
    const { num_redelivered } = await consumerInfo(events.nats, 'evtest-catalog');
    expect(num_redelivered).toBe(0);
  }, 420_000);

  test('and the newest version is kept, in any order of the versions', async () => {
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
      pool: events.db.pool,
      ids: await publishBrands(brands),
      timeoutMs: 5_000,
    });
    await waitApplied({ nats: events.nats, published, timeoutMs: 10_000 });
    const { rows } = await events.db.pool.query('select version, name from effects');
    expect(rows).toEqual([{ version: 10, name: 'v10' }]);
  });
});

test('waitApplied waits for a consumer that another release created without a description', async () => {
  const { consumers: api } = await manager(events.nats);
  await ensureStream(events.nats);
  await api.add(streamName, {
    durable_name: 'older-catalog',
    filter_subject: 'events.catalog.>',
    ack_policy: AckPolicy.Explicit,
  });
  const ids = await publishBrands(someBrands(1));
  const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 5_000 });
  expect(await waitApplied({ nats: events.nats, published, timeoutMs: 500 })).toEqual({
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
])(
  'waitApplied does not wait for a durable consumer outside the product: %s on %s',
  async (durable_name, filter) => {
    await consume({ handlers: counting });
    const { consumers: api } = await manager(events.nats);
    await api.add(streamName, {
      durable_name,
      ack_policy: AckPolicy.Explicit,
      ...(filter === undefined ? {} : { filter_subject: filter }),
    });
    const ids = await publishBrands(someBrands(3));
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 5_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 20_000 })).toEqual({ ok: true });
  },
);

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
      events.nats.connection.publish(`events.${type}`, JSON.stringify({ ...envelope, type, data: body }));
    send('catalog.brand.changed.v2', {});
    send(orgChanged.type, {});
    send(brandChanged.type, { ...data, colour: 'red' });
    await eventually(() => expect(seen).toEqual([data]));
    await eventually(async () =>
      expect((await consumerInfo(events.nats, 'evtest-catalog')).ack_floor.stream_seq).toBe(3),
    );
    expect(await listDeadLetterEvents(events.db.pool, { limit: 10 })).toEqual([]);
  });
});

describe('after a failure of NATS', () => {
  test('a deleted stream is created again, and republishing restores its events', async () => {
    await consume({ handlers: counting });
    const before = new Date();
    const first = await publishAndApply(20);
    await deleteStream(events.nats);
    await events.db.pool.query('truncate effects, inbox');
    expect(await republish({ pool: events.db.pool, since: before })).toBe(20);
    const published = await flushOutbox({ pool: events.db.pool, ids: first, timeoutMs: 10_000 });
    await eventually(async () => expect(await effects()).toEqual({ rows: 20, most: 1 }), {
      timeoutMs: 15_000,
    });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 5_000 })).toEqual({ ok: true });
  });

  test('a server that was killed and started again continues where it was', async () => {
    await consume({ handlers: counting, ackWaitMs: 1_000 });
    await publishAndApply(10);
    await events.server.kill();
    const ids = await publishBrands(someBrands(10));
    await events.server.start();
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 10_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 20, most: 1 });
  });
});

describe('the inbox', () => {
  test('keeps entries for 14 days, twice as long as the stream keeps messages', async () => {
    await events.db.pool.query(
      `insert into inbox (consumer, event_id, received_at)
       select 'evtest-catalog', gen_random_uuid(), now() - make_interval(days => day)
         from generate_series(12, 17) as day, generate_series(1, 500)`,
    );
    await consume({ handlers: counting });
    await eventually(async () =>
      expect((await events.db.pool.query('select 1 from inbox')).rowCount).toBe(1_000),
    );
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
    await withoutPolls(async () => {
      for (let round = 1; round <= 10; round += 1) {
        await publishAndApply(1);
        await eventually(async () => expect((await effects()).rows).toBe(round), { intervalMs: 5 });
      }
    });
  });
});

describe('a stop', () => {
  test('completes running handlers, returns the other messages and loses none', async () => {
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
    expect((await consumerInfo(events.nats, 'evtest-catalog')).ack_floor.stream_seq).toBeGreaterThanOrEqual(
      1,
    );
    await consume({ handlers: counting });
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 5_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 10_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 40, most: 1 });
  });

  const deliveries = async (): Promise<number> =>
    (await consumerInfo(events.nats, 'evtest-catalog')).delivered.consumer_seq;

  test('a message whose handler is slower than ack_wait is not delivered again', async () => {
    let calls = 0;
    const slowly = async () => {
      calls += 1;
      await sleep(900);
    };
    await consume({ ackWaitMs: 600, handlers: { [brandChanged.type]: slowly } });
    const once = async (): Promise<void> => {
      const before = { calls, deliveries: await deliveries() };
      await publishAndApply(1);
      expect(calls).toBe(before.calls + 1);
      expect(await deliveries()).toBe(before.deliveries + 1);
    };
    await retryIfStalled(once, { stallMs: 200 });
  });

  test('messages that wait behind slow ones are not delivered again', async () => {
    const slowly = async () => sleep(900);
    await consume({ ackWaitMs: 600, concurrency: 2, handlers: { [brandChanged.type]: slowly } });
    const once = async (): Promise<void> => {
      const before = await deliveries();
      await publishAndApply(6);
      expect(await deliveries()).toBe(before + 6);
    };
    await retryIfStalled(once, { stallMs: 200 });
  });
});
