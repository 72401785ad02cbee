import { randomUUID } from 'node:crypto';
import { eventually } from '@bv/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  brandChanged,
  flushOutbox,
  listDeadLetterEvents,
  promptChanged,
  redriveDeadLetterEvent,
  waitApplied,
} from '../src/index.ts';
import { createMetrics } from '@bv/telemetry';
import { brandData, promptData } from './service.ts';
import { consumerInfo } from './stream.ts';
import { type CatalogOptions, countEffect, counting, someBrands, useConsumers } from './use-consumers.ts';

const events = useConsumers();
const { consume, publishBrands, publishAndApply, effects } = events;

describe('a handler that fails', () => {
  test('ten times leaves a dead-letter event; redriven, only its consumer applies it', async () => {
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
    // The series exists before the first dead-letter event, because one that starts at 1 would not fire an alert.
    expect(await deadTotal()).toBe(0);
    const [eventId] = await publishAndApply(1);
    expect(calls).toBe(10);
    expect(await deadTotal()).toBe(1);
    expect(await effects()).toEqual({ rows: 0, most: 0 });
    const [dead, ...more] = await listDeadLetterEvents(events.db.pool, { limit: 10 });
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
    // Even without its inbox entry, the other consumer must not apply the redriven message.
    await events.db.pool.query(`delete from inbox where consumer = 'other-catalog'`);
    const redriven = await redriveDeadLetterEvent(events.db.pool, dead?.id ?? '');
    const outboxIds = [redriven?.outboxId ?? ''];
    const published = await flushOutbox({ pool: events.db.pool, ids: outboxIds, timeoutMs: 5_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 5_000 })).toEqual({ ok: true });
    expect(await effects()).toEqual({ rows: 1, most: 1 });
    expect(othersCalls).toBe(1);
    const again = await redriveDeadLetterEvent(events.db.pool, dead?.id ?? '');
    expect(again).toMatchObject({ outboxId: null, row: { redriven_at: expect.any(String) } });
    expect(await redriveDeadLetterEvent(events.db.pool, randomUUID())).toBeUndefined();
  });

  test('does not delay other events', async () => {
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
    const published = await flushOutbox({ pool: events.db.pool, ids, timeoutMs: 5_000 });
    expect(await waitApplied({ nats: events.nats, published, timeoutMs: 300 })).toEqual({
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

  test('does not delay other events, also with three hundred failing ones', async () => {
    const good = brandData();
    await consume(failing(good.id));
    await publishBrands(someBrands(300));
    await eventually(async () =>
      expect((await consumerInfo(events.nats, 'evtest-catalog')).num_ack_pending).toBe(300),
    );
    await publishBrands([{ data: good, version: 1 }]);
    await eventually(async () => expect(await effects()).toEqual({ rows: 1, most: 1 }));
    expect(await listDeadLetterEvents(events.db.pool, { limit: 10 })).toEqual([]);
  });

  test('gets no retry when the maximum number of events waits for one', async () => {
    const good = brandData();
    await consume({ ...failing(good.id), maxAckPending: 40, concurrency: 4 });
    await publishBrands([...someBrands(100), { data: good, version: 1 }]);
    await eventually(async () => expect(await effects()).toEqual({ rows: 1, most: 1 }), {
      timeoutMs: 60_000,
    });
    const dead = await listDeadLetterEvents(events.db.pool, { limit: 200 });
    expect(dead.length).toBeGreaterThanOrEqual(60);
    expect(new Set(dead.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  });

  test('a message that violates the schema or is not JSON becomes a dead-letter event at once', async () => {
    await consume({
      handlers: { ...counting, [promptChanged.type]: (tx, { data }) => countEffect(tx, data.id) },
    });
    const send = (body: unknown, type = brandChanged.type as string): void =>
      events.nats.connection.publish(
        `events.${type}`,
        typeof body === 'string' ? body : JSON.stringify(body),
      );
    const time = new Date().toISOString();
    const id = randomUUID();
    const envelope = { id, source: 'catalog', type: brandChanged.type, subject: 'b', time, version: 1 };
    send({ ...envelope, data: { ...brandData(), name: 42 } });
    send('{"half": ');
    send({ ...envelope, id: randomUUID(), type: promptChanged.type, data: promptData() });
    send({ ...envelope, data: { note: 'nul \u0000 and half \ud800' } });
    await eventually(async () =>
      expect(await listDeadLetterEvents(events.db.pool, { limit: 10 })).toHaveLength(3),
    );
    const dead = await listDeadLetterEvents(events.db.pool, { limit: 10 });
    expect(dead.every(({ attempts }) => attempts === 1)).toBe(true);
    expect(dead.filter(({ event_id }) => event_id === id)).toHaveLength(1);
    expect(dead.filter(({ event_id }) => event_id === null)).toHaveLength(1);
    expect(dead.some(({ error }) => error.includes('in a message of'))).toBe(true);
    await eventually(async () => {
      const info = await consumerInfo(events.nats, 'evtest-catalog');
      expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0]);
    });
  });
});
