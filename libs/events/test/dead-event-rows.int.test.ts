import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { brandChanged } from '../src/index.ts';
import { upsertDeadEvent } from '../src/consumer/dead-events.ts';
import { useDeadEvents } from './use-dead-events.ts';

const { events, consume, publishBrand, publishRaw, list, get, redrive, listed } = useDeadEvents();

/** As the version before `message_id` stores a message. */
const insertAsPrevious = (eventId: string | null, error: string) =>
  events.db.pool.query(
    `insert into dead_events (id, consumer, event_id, type, envelope, error, attempts)
     values (gen_random_uuid(), 'evtest-catalog', $1, $2, $3, $4, 10)
     on conflict (consumer, event_id) where redriven_at is null
     do update set error = excluded.error, attempts = excluded.attempts`,
    [eventId, brandChanged.type, JSON.stringify({ id: eventId }), error],
  );

describe('the previous version stores dead events at the same time', () => {
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
    await events.db.pool.query(`update dead_events set status = 'redriven', prior_attempts = attempts`);
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
    await upsertDeadEvent(events.db.pool, {
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

test('an error is one short line in the list and whole in get', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  publishRaw(`events.${brandChanged.type}`, '{"junk":true}');
  const [dead] = await listed(1);
  expect(dead?.error).toMatch(/^id: Invalid input: expected string, received undefined; [^\n]+…$/);
  expect(dead?.error.length).toBeLessThanOrEqual(80);
  expect((await get(dead?.id ?? ''))?.error).toMatch(/; version: Invalid input: [^\n]+received undefined$/);
});

test('a message of the maximum size of the broker is readable', async () => {
  await consume({ handlers: { [brandChanged.type]: async () => undefined } });
  const junk = 'x'.repeat(1_040_000);
  publishRaw(`events.${brandChanged.type}`, JSON.stringify({ junk }));
  const [dead] = await listed(1);
  expect(await get(dead?.id ?? '')).toMatchObject({
    message: { truncated: expect.stringMatching(/^\{"junk":"x{1000}/) },
  });
});

test('the migration merges the rows of one message', async () => {
  const sql = (name: string) => readFile(new URL(`../sql/${name}`, import.meta.url), 'utf8');
  const client = await events.db.pool.connect();
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
