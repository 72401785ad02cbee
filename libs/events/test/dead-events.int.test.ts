import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { transaction } from '@bv/postgres';
import { eventually, startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  brandChanged,
  callRpc,
  connectNats,
  dismissDeadEventRpc,
  findDeadEventRpc,
  listDeadEventsRpc,
  publishEvent,
  redriveDeadEvent,
  redriveDeadEventRpc,
  republish,
  serveDeadEvents,
  startConsumer,
  startRelay,
  waitRedriven,
} from '../src/index.ts';
import { upsertDeadEvent } from '../src/consumer/dead-events.ts';
import type { Consumer, ConsumerOptions, Nats, Relay, RpcServer } from '../src/index.ts';
import { brandData, log, metrics, openDatabase } from './service.ts';
import type { TestDatabase } from './service.ts';
import { deleteStream } from './stream.ts';

let server: TestServer;
let nats: Nats;
let db: TestDatabase;
let relay: Relay;
let serving: RpcServer;
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
  relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
  serving = serveDeadEvents({ nats, pool: db.pool, service: 'evtest', log });
  consumers = [];
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  await serving.stop();
  await relay.stop();
  await deleteStream(nats);
  await db.drop();
});

async function consume(options: Partial<ConsumerOptions<'catalog'>>): Promise<void> {
  const common = { pool: db.pool, nats, service: 'evtest', source: 'catalog' as const, log, metrics };
  consumers.push(await startConsumer({ ...common, handlers: {}, retryDelaysMs: [1], ...options }));
}

async function publishBrand(): Promise<string> {
  return transaction(db.pool, (tx) =>
    publishEvent(tx, brandChanged, { aggregateId: 'b', version: 1, data: brandData() }),
  );
}

const list = () => callRpc(nats, listDeadEventsRpc('evtest'), { limit: 50, before: null });
const get = (id: string) => callRpc(nats, findDeadEventRpc('evtest'), { id });
const redrive = (id: string) => callRpc(nats, redriveDeadEventRpc('evtest'), { id });
const dismiss = (id: string) => callRpc(nats, dismissDeadEventRpc('evtest'), { id });
const listed = async (count: number) => {
  await eventually(async () => expect(await list()).toHaveLength(count));
  return list();
};

describe('one row per message and consumer', () => {
  test('a message without an id that dies again after a redrive updates its row, and no other consumer stores it', async () => {
    const handlers = { [brandChanged.type]: async () => undefined };
    await consume({ handlers });
    await consume({ handlers, service: 'other' });
    nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
    const before = await listed(2);
    const own = before.find(({ consumer }) => consumer === 'evtest-catalog');
    expect(own).toMatchObject({ status: 'dead', attempts: 1, event_id: null, redriven_at: null });
    for (const attempts of [2, 3]) {
      const outcome = await redrive(own?.id ?? '');
      expect(outcome).toMatchObject({ id: own?.id, status: 'dead', attempts });
      expect(outcome?.redriven_at).not.toBeNull();
      expect(Date.parse(outcome?.last_failed_at ?? '')).toBeGreaterThan(Date.parse(own?.created_at ?? ''));
    }
    const after = await list();
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect(new Set(after.map(({ attempts }) => attempts))).toEqual(new Set([1, 3]));
    expect(await get(own?.id ?? '')).toMatchObject({ message: { junk: true } });
  });

  test('two different messages without ids are two rows', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
    nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
    nats.connection.publish(`events.${brandChanged.type}`, 'no JSON');
    await listed(3);
  });

  test('a redrive of a failing handler adds its attempts; one that is applied leaves the list', async () => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('no room\n  in the shelf');
    };
    await consume({ handlers: { [brandChanged.type]: handler } });
    const eventId = await publishBrand();
    const [dead] = await listed(1);
    expect(dead).toMatchObject({ event_id: eventId, attempts: 10, error: 'no room in the shelf' });
    const id = dead?.id ?? '';
    expect(await redrive(id)).toMatchObject({ id, status: 'dead', attempts: 20 });
    await listed(1);
    isBroken = false;
    expect(await redrive(id)).toMatchObject({ id, status: 'applied', attempts: 20 });
    expect(await list()).toEqual([]);
    expect(await get(id)).toMatchObject({
      status: 'applied',
      error: 'no room\n  in the shelf',
      message: { id: eventId, type: brandChanged.type, data: { name: 'Acme' } },
    });
    expect(await redrive(id)).toMatchObject({ status: 'applied' });
  });

  test('a redriven event of a batch is applied in the transaction of its effect', async () => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('broken');
    };
    await consume({ batch: { type: brandChanged.type, size: 10, maxWaitMs: 5, handler } });
    await publishBrand();
    const [dead] = await listed(1);
    isBroken = false;
    expect(await redrive(dead?.id ?? '')).toMatchObject({ status: 'applied' });
  });

  test('a redrive whose consumer does not run reports that no outcome is known', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
    const [dead] = await listed(1);
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    const id = dead?.id ?? '';
    await redriveDeadEvent(db.pool, id);
    expect(await waitRedriven(db.pool, id, 50)).toMatchObject({ status: 'redriven' });
    expect(await list()).toMatchObject([{ id, status: 'redriven' }]);
    // A second redrive sends nothing while the first has no outcome.
    expect(await redriveDeadEvent(db.pool, id)).toMatchObject({ outboxId: null });
  });

  test('a redrive without an outcome can be repeated after 15 minutes', async () => {
    await consume({ handlers: { [brandChanged.type]: async () => undefined } });
    nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
    const [dead] = await listed(1);
    const id = dead?.id ?? '';
    const redrivenBefore = (age: string) =>
      db.pool.query(
        `update dead_events set status = 'redriven', redriven_at = now() - $2::interval where id = $1`,
        [id, age],
      );
    await redrivenBefore('14 minutes');
    expect(await redriveDeadEvent(db.pool, id)).toMatchObject({ outboxId: null });
    await redrivenBefore('15 minutes');
    const again = await redrive(id);
    expect(again).toMatchObject({ id, status: 'dead', attempts: 2 });
    expect(Date.parse(again?.redriven_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('a dead event that is republished and then applied is applied', () => {
  test.each(['handler', 'batch'])('by a %s', async (kind) => {
    let isBroken = true;
    const handler = async (): Promise<void> => {
      if (isBroken) throw new Error('broken');
    };
    await consume(
      kind === 'handler'
        ? { handlers: { [brandChanged.type]: handler } }
        : { batch: { type: brandChanged.type, size: 10, maxWaitMs: 5, handler } },
    );
    await publishBrand();
    const [dead] = await listed(1);
    isBroken = false;
    await republish({ pool: db.pool, since: new Date(Date.now() - 3_600_000) });
    await listed(0);
    expect(await get(dead?.id ?? '')).toMatchObject({ status: 'applied' });
  });
});

/** As the version before `message_id` stores a message. */
const insertAsPrevious = (eventId: string | null, error: string) =>
  db.pool.query(
    `insert into dead_events (id, consumer, event_id, type, envelope, error, attempts)
     values (gen_random_uuid(), 'evtest-catalog', $1, $2, $3, $4, 10)
     on conflict (consumer, event_id) where redriven_at is null
     do update set error = excluded.error, attempts = excluded.attempts`,
    [eventId, brandChanged.type, JSON.stringify({ id: eventId }), error],
  );

describe('the previous version stores dead events beside this one', () => {
  test('of one event, in one row with this version’s', async () => {
    await consume({
      handlers: {
        [brandChanged.type]: async () => {
          throw new Error('broken');
        },
      },
    });
    const eventId = await publishBrand();
    const [dead] = await listed(1);
    const id = dead?.id ?? '';
    await insertAsPrevious(eventId, 'previous 1');
    expect(await list()).toMatchObject([{ id, error: 'previous 1', attempts: 10, redriven_at: null }]);
    expect(await redrive(id)).toMatchObject({ status: 'dead', attempts: 20, error: 'broken' });
    await db.pool.query(`update dead_events set status = 'redriven', prior_attempts = attempts`);
    await insertAsPrevious(eventId, 'previous 2');
    expect(await list()).toMatchObject([
      { id, status: 'dead', error: 'previous 2', attempts: 30, redriven_at: null },
    ]);
  });

  test('of an event that this version then stores, and of messages without an id', async () => {
    const [eventId, other] = [randomUUID(), randomUUID()];
    await insertAsPrevious(eventId, 'previous');
    await insertAsPrevious(eventId, 'previous again');
    await insertAsPrevious(null, 'no id');
    await insertAsPrevious(null, 'no id');
    await insertAsPrevious(other, 'previous');
    expect(await list()).toHaveLength(4);
    await upsertDeadEvent(db.pool, {
      consumer: 'evtest-catalog',
      messageId: eventId,
      eventId,
      type: brandChanged.type,
      envelope: {},
      error: 'new',
      attempts: 10,
    });
    const rows = (await list()).filter(({ event_id }) => event_id === eventId);
    expect(rows).toMatchObject([{ status: 'dead', error: 'new' }]);
  });
});

test('dismissed: not listed, readable by its id, listed again when it fails again', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
  const [dead] = await listed(1);
  const id = dead?.id ?? '';
  expect(await dismiss(id)).toMatchObject({ id, status: 'dismissed' });
  expect(await dismiss(id)).toMatchObject({ id, status: 'dismissed' });
  expect(await list()).toEqual([]);
  expect(await get(id)).toMatchObject({ status: 'dismissed' });
  expect(await redrive(id)).toMatchObject({ status: 'dead', attempts: 2 });
  await listed(1);
  expect([await dismiss(randomUUID()), await get(randomUUID()), await redrive(randomUUID())]).toEqual([
    null,
    null,
    null,
  ]);
});

test('an error is one short line in the list and whole in get', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  nats.connection.publish(`events.${brandChanged.type}`, '{"junk":true}');
  const [dead] = await listed(1);
  expect(dead?.error).toMatch(/^id: Invalid input: expected string, received undefined; [^\n]+…$/);
  expect(dead?.error.length).toBeLessThanOrEqual(80);
  expect((await get(dead?.id ?? ''))?.error).toMatch(/; version: Invalid input: [^\n]+received undefined$/);
});

test('a message as large as the broker takes is readable', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  const junk = 'x'.repeat(1_040_000);
  nats.connection.publish(`events.${brandChanged.type}`, JSON.stringify({ junk }));
  const [dead] = await listed(1);
  expect(await get(dead?.id ?? '')).toMatchObject({
    message: { truncated: expect.stringMatching(/^\{"junk":"x{1000}/) },
  });
});

test('the migration merges the rows of one message', async () => {
  const sql = (name: string) => readFile(new URL(`../sql/${name}`, import.meta.url), 'utf8');
  const client = await db.pool.connect();
  try {
    await client.query('drop table outbox, inbox, dead_events; drop function set_dead_event_message');
    await client.query(await sql('events.sql'));
    const [eventId, appliedId] = [randomUUID(), randomUUID()];
    const row = (consumer: string, event: string | null, attempts: number, hour: number, redriven: boolean) =>
      client.query(
        `insert into dead_events (id, consumer, event_id, type, envelope, error, attempts, created_at, redriven_at)
         values (gen_random_uuid(), $1, $2, 't', $3, $4, $5, $6, $7)`,
        [
          consumer,
          event,
          // A redriven message without an id was stored with the name of its consumer.
          JSON.stringify(
            event === null ? { junk: 1, ...(hour > 1 ? { consumer: 'a' } : {}) } : { id: event },
          ),
          `error ${hour}`,
          attempts,
          `2026-11-01T0${hour}:00:00Z`,
          redriven ? `2026-11-01T0${hour}:30:00Z` : null,
        ],
      );
    await row('a', eventId, 10, 1, true);
    await row('a', eventId, 10, 2, true);
    await row('a', eventId, 3, 3, false);
    await row('b', eventId, 1, 1, false);
    await row('a', null, 1, 1, true);
    await row('a', null, 1, 2, false);
    await row('a', appliedId, 10, 1, true);
    await client.query('insert into inbox (consumer, event_id) values ($1, $2)', ['a', appliedId]);
    await client.query(await sql('dead_events.sql'));
    const { rows } = await client.query(
      `select consumer, event_id, attempts, status, error, envelope, created_at::text, last_failed_at::text
       from dead_events order by consumer, attempts`,
    );
    const first = { created_at: '2026-11-01 01:00:00+00' };
    expect(rows).toMatchObject([
      { ...first, consumer: 'a', event_id: null, attempts: 2, status: 'dead', envelope: { junk: 1 } },
      { ...first, consumer: 'a', event_id: appliedId, attempts: 10, status: 'applied' },
      { consumer: 'a', event_id: eventId, attempts: 23, status: 'dead', error: 'error 3', ...first },
      { ...first, consumer: 'b', event_id: eventId, attempts: 1, status: 'dead' },
    ]);
    expect(rows[2]).toMatchObject({ last_failed_at: '2026-11-01 03:00:00+00' });
  } finally {
    client.release(true);
  }
});
