import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually, startNats } from '@bv/testkit';
import type { TestServer } from '@bv/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  EventsUnsentError,
  brandChanged,
  connectNats,
  flushOutbox,
  publishEvent,
  republish,
  startRelay,
} from '../src/index.ts';
import type { Nats, Relay } from '../src/index.ts';
import { brandData, log, metrics, openDatabase } from './service.ts';
import type { TestDatabase } from './service.ts';
import { countMessages, deleteStream } from './stream.ts';
import { withoutPolls } from './without-polls.ts';

let server: TestServer;
let nats: Nats;
let db: TestDatabase;
let relays: Relay[] = [];

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
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  relays = [];
  await deleteStream(nats).catch(() => undefined);
  await db.drop();
});

async function relay(): Promise<Relay> {
  const started = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics });
  relays.push(started);
  return started;
}

async function publish(count: number): Promise<string[]> {
  return transaction(db.pool, async (tx) => {
    const ids: string[] = [];
    for (let version = 1; version <= count; version += 1) {
      const data = brandData();
      ids.push(await publishEvent(tx, brandChanged, { aggregateId: data.id, version, data }));
    }
    return ids;
  });
}

async function unsent(): Promise<number> {
  const { rows } = await db.pool.query('select count(*) as n from outbox where sent_at is null');
  return rows[0].n;
}

describe('what is committed is sent', () => {
  test('more than a batch, each once, with its place in the stream', async () => {
    await relay();
    const ids = await publish(250);
    const sent = await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(sent).toHaveLength(250);
    expect(new Set(sent.map(({ seq }) => seq)).size).toBe(250);
    expect(sent[0]?.subject).toBe('events.catalog.brand.changed.v1');
    expect(await countMessages(nats)).toBe(250);
  });

  test('what is rolled back is not', async () => {
    await relay();
    const failing = transaction(db.pool, async (tx) => {
      const data = brandData();
      await publishEvent(tx, brandChanged, { aggregateId: data.id, version: 1, data });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const ids = await publish(1);
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(await countMessages(nats)).toBe(1);
  });

  test('a row committed late, after younger ones were sent', async () => {
    await relay();
    const lateId = await transaction(db.pool, async (late) => {
      const data = brandData();
      const id = await publishEvent(late, brandChanged, { aggregateId: data.id, version: 1, data });
      await flushOutbox({ pool: db.pool, ids: await publish(3), timeoutMs: 5_000 });
      return id;
    });
    await expect(flushOutbox({ pool: db.pool, ids: [lateId], timeoutMs: 5_000 })).resolves.toHaveLength(1);
  });

  test('by the relay of this process at once, without waiting for its next poll', () =>
    withoutPolls(async () => {
      await relay();
      for (let round = 0; round < 10; round += 1) {
        const ids = await publish(1);
        await expect(flushOutbox({ pool: db.pool, ids, timeoutMs: 30_000 })).resolves.toHaveLength(1);
      }
    }));

  test('by several relays at once, none twice', async () => {
    await Promise.all([relay(), relay(), relay()]);
    const ids = (await Promise.all([publish(200), publish(200), publish(200)])).flat();
    const sent = await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    expect(new Set(sent.map(({ seq }) => seq)).size).toBe(600);
    expect(await countMessages(nats)).toBe(600);
  });
});

describe('a relay killed between publishing and marking', () => {
  test('leaves the row unsent, and the second publication is a duplicate', async () => {
    const ids = await publish(1);
    // The relay may lock the row and publish it; its update waits for this lock.
    const blocker = await db.pool.connect();
    await blocker.query('begin; lock table outbox in share mode');
    const file = fileURLToPath(new URL('relay-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--conditions=@bv/source', file, db.url, server.url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await eventually(async () => {
      const { rows } = await db.pool.query(
        `select 1 from pg_stat_activity
          where application_name = 'relay' and wait_event_type = 'Lock' and query like 'update outbox%'`,
      );
      expect(rows).toHaveLength(1);
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await blocker.query('commit');
    blocker.release();
    expect([await unsent(), await countMessages(nats)]).toEqual([1, 1]);
    await relay();
    const [sent] = await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    expect(sent?.seq).toBe(1);
    expect(await countMessages(nats)).toBe(1);
  });
});

describe('while NATS is unavailable', () => {
  test('rows wait, and go out when it is back', async () => {
    await relay();
    await server.kill();
    await eventually(() => expect(nats.isConnected()).toBe(false));
    const ids = await publish(5);
    await expect(flushOutbox({ pool: db.pool, ids, timeoutMs: 500 })).rejects.toThrow(EventsUnsentError);
    expect(await unsent()).toBe(5);
    await server.start();
    await expect(flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 })).resolves.toHaveLength(5);
    expect(await countMessages(nats)).toBe(5);
  });

  test('a server that hangs delays, no more', async () => {
    await relay();
    await flushOutbox({ pool: db.pool, ids: await publish(1), timeoutMs: 5_000 });
    await server.pause();
    const ids = await publish(3);
    await expect(flushOutbox({ pool: db.pool, ids, timeoutMs: 500 })).rejects.toThrow(EventsUnsentError);
    expect(await unsent()).toBe(3);
    await server.resume();
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 15_000 });
    expect(await countMessages(nats)).toBe(4);
  });

  test('a start waits for the first connection up to its deadline', async () => {
    const none = connectNats({ url: 'nats://127.0.0.1:1', name: 'none', log, deadlineMs: 300 });
    await expect(none).rejects.toThrow('NATS cannot be reached');
    await server.kill();
    const waiting = connectNats({ url: server.url, name: 'early', log, deadlineMs: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.start();
    const early = await waiting;
    expect(early.isConnected()).toBe(true);
    await early.close();
    await eventually(() => expect(nats.isConnected()).toBe(true));
  });
});

describe('maintenance', () => {
  test('rows sent long ago go, unsent ones never; the figures are there for all to see', async () => {
    await publish(3);
    await db.pool.query(`update outbox set created_at = now() - interval '9 days'`);
    await db.pool.query(
      `update outbox set sent_at = now() - interval '8 days', stream_seq = 1
        where id = (select id from outbox limit 1)`,
    );
    const own = createMetrics('maintenance');
    await server.pause();
    const started = await startRelay({ pool: db.pool, nats, service: 'evtest', log, metrics: own });
    relays.push(started);
    await eventually(async () => expect((await db.pool.query('select 1 from outbox')).rowCount).toBe(2));
    const figure = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(await own.registry.metrics())?.[1]);
    await eventually(async () => expect(await figure('bv_outbox_unsent')).toBe(2));
    expect(await figure('bv_outbox_oldest_age_seconds')).toBeGreaterThan(8 * 86_400);
    await server.resume();
    await eventually(async () => expect(await figure('bv_outbox_published_total')).toBe(2), {
      timeoutMs: 15_000,
    });
  });

  test('a failure is said once, and so is its end', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    const telling = createLogger({ service: 'evtest', level: 'info', destination });
    const countOf = (message: string): number => lines.filter((line) => line.includes(message)).length;
    relays.push(await startRelay({ pool: db.pool, nats, service: 'evtest', log: telling, metrics }));
    await flushOutbox({ pool: db.pool, ids: await publish(1), timeoutMs: 5_000 });
    await server.kill();
    const ids = await publish(1);
    await eventually(() => expect(countOf('relay cannot publish')).toBe(1));
    await expect(flushOutbox({ pool: db.pool, ids, timeoutMs: 900 })).rejects.toThrow(EventsUnsentError);
    expect(countOf('relay cannot publish')).toBe(1);
    await server.start();
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    await eventually(() =>
      expect([countOf('relay cannot publish'), countOf('relay works again')]).toEqual([1, 1]),
    );
  });
});

describe('republish', () => {
  test('sends again what a deleted stream has lost, past the duplicate window', async () => {
    await relay();
    const before = new Date();
    const ids = await publish(30);
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(await republish({ pool: db.pool, since: new Date(Date.now() + 60_000) })).toBe(0);
    // The stream still has the first message ids, and accepts the events again.
    expect(await republish({ pool: db.pool, since: before })).toBe(30);
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 5_000 });
    expect(await countMessages(nats)).toBe(60);
    await deleteStream(nats);
    expect(await republish({ pool: db.pool, since: before })).toBe(30);
    await flushOutbox({ pool: db.pool, ids, timeoutMs: 10_000 });
    expect(await countMessages(nats)).toBe(30);
  });
});

describe('a publisher', () => {
  const publishOne = (data: object): Promise<string> =>
    transaction(db.pool, (tx) =>
      publishEvent(tx, brandChanged, { aggregateId: 'a', version: 1, data: data as never }),
    );

  test('cannot send a field the schema does not have', async () => {
    await expect(publishOne({ ...brandData(), colour: 'red' })).rejects.toThrow('no field colour');
    const competitor = { id: brandData().id, name: 'x', domain: 'x.example', size: 1 };
    await expect(publishOne(brandData({ competitors: [competitor] as never }))).rejects.toThrow(
      'no field competitors.0.size',
    );
  });

  test('cannot send what the schema or every server rejects', async () => {
    await expect(publishOne({ ...brandData(), name: null })).rejects.toThrow('name');
    await expect(publishOne(brandData({ aliases: ['x'.repeat(1_000_000)] }))).rejects.toThrow('exceeds');
    // 980,000 bytes as JSON.stringify writes it, above a million as it is sent: with a space after each comma.
    const aliases = Array.from({ length: 245_000 }, () => 'x');
    await expect(publishOne(brandData({ aliases }))).rejects.toThrow('exceeds');
    expect(await unsent()).toBe(0);
  });
});
