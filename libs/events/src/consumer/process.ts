import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '@bv/lifecycle';
import { execute, isUnavailable, many, transaction } from '@bv/postgres';
import type { Queryable, Transaction } from '@bv/postgres';
import { createBatchBuffer } from '@bv/resilience';
import { extractTraceContext, withSpan } from '@bv/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import type { Envelope } from '../define-event.ts';
import { dropPurged } from '../purge/org-purges.ts';
import { orgChanged } from '../schemas/catalog.ts';
import { decode } from './decode.ts';
import type { Outcome } from './metrics.ts';
import { classifyFailure, deadLetter, settle } from './settle.ts';
import type { ConsumerContext, Result } from './settle.ts';

/** A handler without the type of its event. The schema of its type has parsed each message. */
export type AnyHandler = (tx: Transaction, envelope: Envelope) => Promise<void>;
export type AnyBatch = {
  type: string;
  size: number;
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: Envelope[]): Promise<void>;
};

export type ProcessorOptions = {
  handlers: Record<string, AnyHandler | undefined>;
  batch: AnyBatch | undefined;
  concurrency: number;
  /** Runs before the transaction of a message, or of a batch. */
  prepare: Prepare;
};

export type Processor = {
  /** Number of messages to fetch now. Waits until at least half of the slots are free. */
  freeSlots(): Promise<number>;
  /** Starts to process a message. Waits for a free slot. */
  process(message: JsMsg): Promise<void>;
  /** Waits for messages in progress. */
  stop(): Promise<void>;
};

type Received = { message: JsMsg; envelope: Envelope };

/** Validates each message, runs its handler alone or in a batch, and settles it. */
export function createProcessor(ctx: ConsumerContext, options: ProcessorOptions): Processor {
  const { handlers, batch, concurrency } = options;
  const prepare = withDeadline(options.prepare);
  const wants = (type: string): boolean => type === batch?.type || handlers[type] !== undefined;
  const buffer =
    batch &&
    createBatchBuffer<Received>({ maxBatchSize: batch.size, maxWaitMs: batch.maxWaitMs }, (received) =>
      applyBatch(received, batch, prepare, ctx),
    );
  const running = new Set<Promise<void>>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    await untilFewerThan(concurrency, running);
    const promise = work()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'message neither handled nor acknowledged'))
      .finally(() => running.delete(promise));
    running.add(promise);
  };

  const process = async (message: JsMsg): Promise<void> => {
    const decoded = decode(message, ctx.consumer, wants);
    if (message.redelivered) ctx.meters.redelivered();
    if (decoded.kind === 'ignored') return settle(message, decoded.type, 'ignored', ctx);
    if (decoded.kind === 'broken') {
      const { kind: _, ...failed } = decoded;
      return run(async () => settle(message, failed.type, await deadLetter(failed, 1, ctx), ctx));
    }
    const { envelope } = decoded;
    if (buffer !== undefined && envelope.type === batch?.type) return buffer.add({ message, envelope });
    const handler = handlers[envelope.type];
    if (handler !== undefined) await run(() => applyOne({ message, envelope }, handler, prepare, ctx));
  };
  return {
    process,
    // A request for one or two messages costs as much as one for many.
    freeSlots: async () => {
      if (batch !== undefined) return batch.size;
      await untilFewerThan(Math.ceil(concurrency / 2) + 1, running);
      return concurrency - running.size;
    },
    stop: async () => {
      await buffer?.stop();
      await Promise.all(running);
    },
  };
}

/** Each promise removes itself when it has settled. */
async function untilFewerThan(limit: number, pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (pending.size >= limit) await Promise.race(pending);
}

export type Prepare = (envelopes: readonly Envelope[]) => Promise<void>;

const prepareDeadlineMs = 10_000;

/** Bounds the time for which `prepare` may hold a message. */
export function withDeadline(prepare: Prepare, timeoutMs = prepareDeadlineMs): Prepare {
  return async (envelopes) => {
    const timer = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`not prepared within ${timeoutMs} ms`);
    });
    try {
      await Promise.race([prepare(envelopes), late]);
    } finally {
      timer.abort();
    }
  };
}

/** No event of an organisation with a purge has an effect, so that none brings rows back. */
const dropLate = (tx: Transaction, envelopes: readonly Envelope[]): Promise<Envelope[]> =>
  dropPurged(tx, envelopes, ({ type, data }) => {
    const { id, org_id: orgId } = data as { id?: string; org_id?: string };
    return type === orgChanged.type ? id : orgId;
  });

/** Commits inbox row and effect in one transaction, then acknowledges. A redelivery changes nothing. */
async function applyOne(
  { message, envelope }: Received,
  handler: AnyHandler,
  prepare: Prepare,
  ctx: ConsumerContext,
): Promise<void> {
  const { pool, consumer, meters } = ctx;
  const { id, type, traceparent } = envelope;
  const started = performance.now();
  const apply = async (tx: Transaction): Promise<Outcome> => {
    const isNew = await insertInbox(tx, consumer, id);
    if (!isNew) return 'duplicate';
    if ((await dropLate(tx, [envelope])).length === 0) return 'ignored';
    await handler(tx, envelope);
    failpoint('consumer.applied');
    return 'applied';
  };
  let result: Result;
  try {
    const attributes = { 'messaging.system': 'nats', 'messaging.message.id': id };
    result = await extractTraceContext({ traceparent }, () =>
      withSpan(`process ${type}`, attributes, async () => {
        await prepare([envelope]);
        return transaction(pool, apply);
      }),
    );
    failpoint('consumer.committed');
    meters.handled(type, (performance.now() - started) / 1_000);
  } catch (error) {
    result = await classifyFailure(message, { messageId: id, eventId: id, type, envelope }, error, ctx);
  }
  settle(message, type, result, ctx);
}

/** Handles the batch in one transaction. If that fails, one by one, so that only the failing event is retried. */
async function applyBatch(
  received: readonly Received[],
  batch: AnyBatch,
  prepare: Prepare,
  ctx: ConsumerContext,
): Promise<void> {
  const { pool, consumer, meters } = ctx;
  const started = performance.now();
  const apply = async (tx: Transaction): Promise<Set<string>> => {
    const byId = new Map(received.map(({ envelope }) => [envelope.id, envelope]));
    const newIds = await insertInboxBatch(tx, consumer, [...byId.keys()]);
    const envelopes = await dropLate(
      tx,
      [...byId.values()].filter(({ id }) => newIds.has(id)),
    );
    if (envelopes.length > 0) await batch.handler(tx, envelopes);
    failpoint('consumer.applied');
    return newIds;
  };
  try {
    await prepare(received.map(({ envelope }) => envelope));
    const newIds = await transaction(pool, apply);
    failpoint('consumer.committed');
    for (const { message, envelope } of received) {
      settle(message, envelope.type, newIds.delete(envelope.id) ? 'applied' : 'duplicate', ctx);
    }
    meters.handled('batch', (performance.now() - started) / 1_000);
  } catch (error) {
    if (isUnavailable(error)) await ctx.availability.check();
    if (ctx.availability.available()) {
      ctx.log.warn(
        { err: error, events: received.length },
        'batch failed; its events are handled one by one',
      );
    }
    const handler: AnyHandler = (tx, envelope) => batch.handler(tx, [envelope]);
    for (const one of received) {
      if (ctx.availability.available()) await applyOne(one, handler, prepare, ctx);
      else settle(one.message, one.envelope.type, 'unavailable', ctx);
    }
  }
}

/**
 * Marks the dead-letter event of a message that was redriven or republished as applied, in the transaction of the
 * effect.
 */
const markApplied = (ids: string) =>
  `update dead_letter_events set status = 'applied'
    where consumer = $1 and message_id = any(${ids}) and status <> 'applied'`;

/** Returns false if the effect of this event is committed. A concurrent second delivery waits for the first one. */
async function insertInbox(db: Queryable, consumer: string, eventId: string): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'events.insert_inbox',
    text: `with dead as (${markApplied('array[$2::text]')})
           insert into inbox (consumer, event_id) values ($1, $2::text::uuid) on conflict do nothing`,
    values: [consumer, eventId],
  });
  return inserted === 1;
}

/** Returns the new ids. Inserts in the order of ids, so that two replicas with the same events do not deadlock. */
async function insertInboxBatch(
  db: Queryable,
  consumer: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await many<{ event_id: string }>(db, {
    name: 'events.insert_inbox_batch',
    text: `with dead as (${markApplied('$2::text[]')})
           insert into inbox (consumer, event_id)
           select $1, event_id from unnest($2::text[]::uuid[]) as event_id order by event_id
           on conflict do nothing
           returning event_id`,
    values: [consumer, eventIds],
  });
  return new Set(rows.map((row) => row.event_id));
}

export async function deleteInbox(db: Queryable, olderThanDays: number, limit: number): Promise<number> {
  return execute(db, {
    name: 'events.delete_inbox',
    text: `delete from inbox
            where ctid = any (array(select ctid from inbox
                                     where received_at < now() - make_interval(days => $1)
                                     limit $2
                                       for update skip locked))`,
    values: [olderThanDays, limit],
  });
}
