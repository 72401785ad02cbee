import { setTimeout as sleep } from 'node:timers/promises';
import { execute, transaction } from '@bv/postgres';
import { eventually, startNats, retryIfStalled } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  listDeadLetterEvents,
  promptChanged,
  publishEvent,
  republish,
  startConsumer,
  startRelay,
  waitApplied,
} from '../src/index.ts';
import type {
  Batch,
  Consumer,
  ConsumerOptions,
  Envelope,
  Handlers,
  Nats,
  Published,
  Relay,
} from '../src/index.ts';
import { brandData, log, metrics, openDatabase, promptData } from './service.ts';
import type { TestDatabase } from './service.ts';
import { consumerInfo, deleteStream } from './stream.ts';

let server: TestServer;
let nats: Nats;
let db: TestDatabase;
let relay: Relay;
let consumer: Consumer | undefined;

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
  await db.pool.query('create table effects (id text, batch xid8 not null default pg_current_xact_id())');
  relay = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
});
afterEach(async () => {
  await consumer?.stop();
  await relay.stop();
  await deleteStream(nats);
  await db.drop();
});

async function consume(
  batch: Partial<Batch<typeof promptChanged.type>>,
  handlers: Handlers<'catalog'> = {},
  { prepare, ackWaitMs = 2_400 }: Partial<Pick<ConsumerOptions<'catalog'>, 'prepare' | 'ackWaitMs'>> = {},
): Promise<void> {
  consumer = await startConsumer({
    pool: db.pool,
    nats,
    service: 'evtest',
    source: 'catalog',
    handlers,
    ...(prepare === undefined ? {} : { prepare }),
    batch: {
      type: promptChanged.type,
      size: 50,
      maxWaitMs: 100,
      handler: async (tx, envelopes) => {
        await execute(tx, {
          name: 'insert-effects',
          text: 'insert into effects (id) select unnest($1::text[])',
          values: [envelopes.map(({ data }) => data.id)],
        });
      },
      ...batch,
    },
    retryDelaysMs: [10],
    ackWaitMs,
    log,
    metrics,
  });
}

async function publishPrompts(prompts: ReturnType<typeof promptData>[]): Promise<string[]> {
  return transaction(db.pool, async (tx) => {
    const ids: string[] = [];
    for (const data of prompts) {
      ids.push(await publishEvent(tx, promptChanged, { aggregateId: data.id, version: 1, data }));
    }
    return ids;
  });
}

async function sent(ids: string[]): Promise<Published[]> {
  return flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
}

const applied = async (ids: string[]): Promise<void> =>
  expect(await waitApplied({ nats, published: await sent(ids), timeoutMs: 30_000 })).toEqual({ ok: true });

async function effects(): Promise<{ rows: number; ids: number; batches: number }> {
  const { rows } = await db.pool.query(
    'select count(*) as rows, count(distinct id) as ids, count(distinct batch) as batches from effects',
  );
  return rows[0];
}

const prompts = (count: number) => Array.from({ length: count }, () => promptData());

test('many events go through few transactions, each once, also when they come again', async () => {
  const before = new Date();
  const ids = await publishPrompts(prompts(1_000));
  await sent(ids);
  await consume({});
  await applied(ids);
  const first = await effects();
  expect(first).toMatchObject({ rows: 1_000, ids: 1_000 });
  // Twenty full ones. A batch is not full when events arrive more slowly than they are applied.
  expect(first.batches).toBeLessThanOrEqual(100);
  await republish({ pool: db.pool, since: before });
  await applied(ids);
  expect(await effects()).toEqual(first);
});

test('an event alone does not wait for others longer than it may', async () => {
  await consume({ maxWaitMs: 50 });
  const started = performance.now();
  await applied(await publishPrompts(prompts(1)));
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('an event that cannot be applied is dead-lettered without the others', async () => {
  const poison = promptData();
  await consume({
    handler: async (tx, envelopes) => {
      for (const { data } of envelopes) {
        if (data.id === poison.id) throw new Error('poison');
        await execute(tx, {
          name: 'insert-effect',
          text: 'insert into effects (id) values ($1)',
          values: [data.id],
        });
      }
    },
  });
  await applied(await publishPrompts([...prompts(20), poison, ...prompts(20)]));
  expect(await effects()).toMatchObject({ rows: 40, ids: 40 });
  expect(await listDeadLetterEvents(db.pool, { limit: 10 })).toMatchObject([
    { error: 'poison', attempts: 10 },
  ]);
});

test('other types of the source keep their own handlers', async () => {
  const names: string[] = [];
  await consume(
    {},
    {
      [brandChanged.type]: async (_tx, { data }) => {
        names.push(data.name);
      },
    },
  );
  const data = brandData({ name: 'Acme' });
  const publication = { aggregateId: data.id, version: 1, data };
  await transaction(db.pool, (tx) => publishEvent(tx, brandChanged, publication));
  await applied(await publishPrompts(prompts(3)));
  await eventually(() => expect(names).toEqual(['Acme']));
  expect(await effects()).toMatchObject({ rows: 3 });
});

test('a stop applies what was gathered', async () => {
  const received = Promise.withResolvers<void>();
  await consume({ maxWaitMs: 600_000 }, { [brandChanged.type]: async () => received.resolve() });
  await sent(await publishPrompts(prompts(7)));
  const data = brandData();
  await transaction(db.pool, (tx) =>
    publishEvent(tx, brandChanged, { aggregateId: data.id, version: 1, data }),
  );
  // Its handler runs after the events before it were gathered.
  await received.promise;
  expect(await effects()).toMatchObject({ rows: 0 });
  await consumer?.stop();
  expect(await effects()).toMatchObject({ rows: 7, batches: 1 });
});

test('a batch larger than the server hands out is refused', async () => {
  await expect(consume({ size: 201 })).rejects.toThrow(RangeError);
});

test('`prepare` runs before the transaction of events; if it fails for a batch, they are handled one by one', async () => {
  const poison = promptData();
  const [brand, ordinary] = [brandData(), prompts(20)];
  const prepared = new Set<string>();
  let failures = 0;
  await consume(
    {},
    { 'catalog.brand.changed.v1': async (_tx, { id }) => expect(prepared).toContain(id) },
    {
      prepare: async (envelopes) => {
        const events = envelopes as readonly Envelope<{ id: string }>[];
        for (const { id } of events) prepared.add(id);
        if (!events.some(({ data }) => data.id === poison.id)) return;
        failures += 1;
        throw new Error('not prepared');
      },
    },
  );
  const ids = await transaction(db.pool, async (tx) => [
    await publishEvent(tx, brandChanged, { aggregateId: brand.id, version: 1, data: brand }),
  ]);
  ids.push(...(await publishPrompts([...ordinary, poison])));
  await applied(ids);
  expect(await effects()).toMatchObject({ rows: 20, ids: 20 });
  expect(new Set(ids)).toEqual(prepared);
  expect(failures).toBeGreaterThan(1);
  expect(await listDeadLetterEvents(db.pool, { limit: 10 })).toMatchObject([{ error: 'not prepared' }]);
});

test('messages that wait behind slow batches are not delivered again', async () => {
  await consume({ size: 5, handler: async () => sleep(900) }, {}, { ackWaitMs: 600 });
  const deliveries = async (): Promise<number> =>
    (await consumerInfo(nats, 'evtest-catalog')).delivered.consumer_seq;
  const once = async (): Promise<void> => {
    const before = await deliveries();
    const ids = await publishPrompts(prompts(20));
    await sent(ids);
    await applied(ids);
    expect(await deliveries()).toBe(before + 20);
  };
  await retryIfStalled(once, { stallMs: 200 });
});
