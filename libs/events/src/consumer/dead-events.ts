import { randomUUID } from 'node:crypto';
import type { DeadEventStatus } from '@bv/contract';
import { execute, many, maybeOne } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type DeadEventRow = {
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

export type DeadEventDetail = DeadEventRow & { envelope: unknown };

export const deadEventColumns =
  'id, consumer, event_id, type, status, error, attempts, created_at, last_failed_at, redriven_at';

const maxErrorLength = 4_000;

export type DeadEvent = {
  consumer: string;
  /** Equal for every delivery of one message, redriven ones included. */
  messageId: string;
  eventId: string | null;
  type: string;
  envelope: unknown;
  error: string;
  attempts: number;
};

/** Stores a message that failed for good, or counts the failure of one that is stored. */
export async function upsertDeadEvent(db: Queryable, dead: DeadEvent): Promise<void> {
  await execute(db, {
    name: 'events.upsert_dead_event',
    // A delivery repeats the count of the one before, so the sum starts from the attempts before the redrive.
    text: `insert into dead_events as d (id, consumer, message_id, event_id, type, envelope, error, attempts)
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

/** jsonb takes neither NUL nor half a surrogate pair; a message that has one must be stored all the same. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd').toWellFormed() : value;
}

/** Those without a final outcome, newest first; `before` is the last row of the page before. */
export async function listDeadEvents(
  db: Queryable,
  page: { limit: number; before?: { created_at: string; id: string } | null },
): Promise<DeadEventRow[]> {
  return many<DeadEventRow>(db, {
    name: 'events.list_dead_events',
    text: `select ${deadEventColumns} from dead_events
            where status in ('dead', 'redriven')
              and ($1::timestamptz is null or (created_at, id) < ($1::timestamptz, $2::uuid))
            order by created_at desc, id desc
            limit $3`,
    values: [page.before?.created_at ?? null, page.before?.id ?? null, page.limit],
  });
}

export async function findDeadEvent(db: Queryable, id: string): Promise<DeadEventDetail | undefined> {
  return maybeOne<DeadEventDetail>(db, {
    name: 'events.find_dead_event',
    text: `select ${deadEventColumns}, envelope from dead_events where id = $1`,
    values: [id],
  });
}

/** Removes a message from the list. One that was applied stays applied. */
export async function dismissDeadEvent(db: Queryable, id: string): Promise<DeadEventRow | undefined> {
  return maybeOne<DeadEventRow>(db, {
    name: 'events.dismiss_dead_event',
    text: `update dead_events set status = case status when 'applied' then status else 'dismissed' end
            where id = $1 returning ${deadEventColumns}`,
    values: [id],
  });
}
