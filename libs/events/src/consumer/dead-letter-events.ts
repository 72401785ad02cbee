import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeadEventStatus } from '@bv/contract';
import { execute, many, maybeOne, one, transaction } from '@bv/postgres';
import type { Pool, Queryable, Transaction } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { addToOutbox } from '../outbox/publish.ts';

export type DeadLetterEventRow = {
  id: string;
  consumer: string;
  event_id: string | null;
  type: string;
  status: DeadEventStatus;
  error: string;
  attempts: number;
  created_at: string;
  last_failed_at: string;
  redriven_at: string | null;
};

type DeadLetterEventDetail = DeadLetterEventRow & { envelope: unknown };

const deadLetterEventColumns =
  'id, consumer, event_id, type, status, error, attempts, created_at, last_failed_at, redriven_at';

/** Counts a failure of a message over all replicas. Returns the number of failures. */
export async function insertFailedAttempt(
  db: Queryable,
  consumer: string,
  messageId: string,
): Promise<number> {
  const { attempts } = await one<{ attempts: number }>(db, {
    name: 'events.insert_failed_attempt',
    text: `insert into failed_attempts as f (consumer, message_id, attempts) values ($1, $2, 1)
           on conflict (consumer, message_id) do update set attempts = f.attempts + 1, last_failed_at = now()
           returning attempts`,
    values: [consumer, messageId],
  });
  return attempts;
}

const maxErrorLength = 4_000;

type DeadLetterEvent = {
  consumer: string;
  /** The same for every delivery of a message, also a redriven one. */
  messageId: string;
  eventId: string | null;
  type: string;
  envelope: unknown;
  error: string;
  attempts: number;
};

/** Stores a message as a dead-letter event, or updates its row after another failure. */
export async function upsertDeadLetterEvent(db: Queryable, dead: DeadLetterEvent): Promise<void> {
  await execute(db, {
    name: 'events.upsert_dead_letter_event',
    // A delivery repeats the count of the one before, so the sum starts from the attempts before the redrive.
    text: `insert into dead_letter_events as d (id, consumer, message_id, event_id, type, envelope, error, attempts)
           values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8)
           on conflict (consumer, message_id) do update set
             status = 'dead', error = excluded.error, last_failed_at = now(),
             attempts = greatest(d.attempts, d.prior_attempts + excluded.attempts)`,
    values: [
      randomUUID(),
      dead.consumer,
      String(storable('', dead.messageId)),
      dead.eventId,
      dead.type,
      JSON.stringify(dead.envelope, storable),
      String(storable('', dead.error.slice(0, maxErrorLength))),
      dead.attempts,
    ],
  });
}

/** Replaces what `jsonb` rejects: NUL and half of a surrogate pair. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd').toWellFormed() : value;
}

/** Lists dead-letter events without a final outcome, newest first. `before` is the last row of the previous page. */
export async function listDeadLetterEvents(
  db: Queryable,
  page: { limit: number; before?: { created_at: string; id: string } | null },
): Promise<DeadLetterEventRow[]> {
  return many<DeadLetterEventRow>(db, {
    name: 'events.list_dead_letter_events',
    text: `select ${deadLetterEventColumns} from dead_letter_events
            where status in ('dead', 'redriven')
              and ($1::timestamptz is null or (created_at, id) < ($1::timestamptz, $2::uuid))
            order by created_at desc, id desc
            limit $3`,
    values: [page.before?.created_at ?? null, page.before?.id ?? null, page.limit],
  });
}

export async function findDeadLetterEvent(
  db: Queryable,
  id: string,
): Promise<DeadLetterEventDetail | undefined> {
  return maybeOne<DeadLetterEventDetail>(db, {
    name: 'events.find_dead_letter_event',
    text: `select ${deadLetterEventColumns}, envelope from dead_letter_events where id = $1`,
    values: [id],
  });
}

/** Removes a dead-letter event from the list. An applied one stays applied. */
export async function dismissDeadLetterEvent(
  db: Queryable,
  id: string,
): Promise<DeadLetterEventRow | undefined> {
  return maybeOne<DeadLetterEventRow>(db, {
    name: 'events.dismiss_dead_letter_event',
    text: `update dead_letter_events set status = case status when 'applied' then status else 'dismissed' end
            where id = $1 returning ${deadLetterEventColumns}`,
    values: [id],
  });
}

export type Redriven = {
  row: DeadLetterEventRow;
  /** Row of the outbox to wait for. Null if a recent redrive has no outcome yet, or if the event is applied. */
  outboxId: string | null;
};

/**
 * Sends a dead-letter event to its consumer again, through this service's own outbox and the usual retries. The
 * envelope names the consumer, so that all others ignore it, and the message, so that a new failure updates its row.
 */
export async function redriveDeadLetterEvent(pool: Pool, id: string): Promise<Redriven | undefined> {
  return transaction(pool, async (tx) => {
    const locked = await lockDeadLetterEvent(tx, id);
    if (locked === undefined) {
      const row = await findDeadLetterEvent(tx, id);
      return row === undefined ? undefined : { row, outboxId: null };
    }
    const { envelope: stored, message_id: messageId, ...row } = locked;
    const envelope = isObject(stored) ? stored : { raw: stored };
    const outboxId = randomUUID();
    const copy = {
      id: outboxId,
      type: row.type,
      aggregateId: typeof envelope['subject'] === 'string' ? envelope['subject'] : '',
      version: Number.isSafeInteger(envelope['version']) ? Number(envelope['version']) : 0,
      envelope: JSON.stringify({ ...envelope, consumer: row.consumer, message_id: messageId }),
    };
    await deleteFailedAttempts(tx, row.consumer, messageId);
    await addToOutbox(tx, [copy]);
    return { row, outboxId };
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A redrive without an outcome after this time may be repeated. The inbox prevents a second effect. */
const redriveAgainMinutes = 15;

async function lockDeadLetterEvent(
  tx: Transaction,
  id: string,
): Promise<(DeadLetterEventDetail & { message_id: string }) | undefined> {
  return maybeOne(tx, {
    name: 'events.update_dead_letter_event_redriven',
    text: `update dead_letter_events set status = 'redriven', redriven_at = now(), prior_attempts = attempts
            where id = $1
              and (status in ('dead', 'dismissed')
                   or status = 'redriven' and redriven_at <= now() - make_interval(mins => $2))
           returning ${deadLetterEventColumns}, envelope, message_id`,
    values: [id, redriveAgainMinutes],
  });
}

const pollBackoff = { baseMs: 20, maxMs: 250 };

/** Waits until the redriven message is applied or dead-lettered again, or until the timeout. Returns the row. */
export async function waitRedriven(
  pool: Pool,
  id: string,
  timeoutMs: number,
): Promise<DeadLetterEventRow | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (let retry = 0; ; retry += 1) {
    const row = await findDeadLetterEvent(pool, id);
    const pauseMs = backoffMs(pollBackoff, retry);
    if (row?.status !== 'redriven' || Date.now() + pauseMs > deadline) return row;
    await sleep(pauseMs);
  }
}

/** A redriven message starts with no failed attempts. */
async function deleteFailedAttempts(db: Queryable, consumer: string, messageId: string): Promise<void> {
  await execute(db, {
    name: 'events.delete_failed_attempts',
    text: 'delete from failed_attempts where consumer = $1 and message_id = $2',
    values: [consumer, messageId],
  });
}

export async function deleteOldFailedAttempts(
  db: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  return execute(db, {
    name: 'events.delete_old_failed_attempts',
    text: `delete from failed_attempts
            where ctid = any (array(select ctid from failed_attempts
                                     where last_failed_at < now() - make_interval(days => $1)
                                     limit $2
                                       for update skip locked))`,
    values: [olderThanDays, limit],
  });
}
