import { randomUUID } from 'node:crypto';
import { execute, many, maybeOne, transaction } from '@bv/postgres';
import type { Pool, Queryable, Transaction } from '@bv/postgres';
import { insertOutbox } from '../outbox/statements.ts';

export type DeadEventRow = {
  id: string;
  consumer: string;
  event_id: string | null;
  type: string;
  error: string;
  attempts: number;
  created_at: string;
  redriven_at: string | null;
};

const columns = 'id, consumer, event_id, type, error, attempts, created_at, redriven_at';

export type DeadEvent = {
  consumer: string;
  eventId: string | null;
  type: string;
  envelope: unknown;
  error: string;
  attempts: number;
};

/** One open row per consumer and event, however often the message comes back. */
export async function upsertDeadEvent(db: Queryable, dead: DeadEvent): Promise<void> {
  await execute(db, {
    name: 'events-upsert-dead-event',
    text: `insert into dead_events (id, consumer, event_id, type, envelope, error, attempts)
           values ($1, $2, $3, $4, $5::jsonb, $6, $7)
           on conflict (consumer, event_id) where redriven_at is null
           do update set error = excluded.error, attempts = excluded.attempts`,
    values: [
      randomUUID(),
      dead.consumer,
      dead.eventId,
      dead.type,
      JSON.stringify(dead.envelope, storable),
      String(storable('', dead.error)).slice(0, 1_000),
      dead.attempts,
    ],
  });
}

/** jsonb takes neither NUL nor half a surrogate pair; a message that has one must still find its grave. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd').toWellFormed() : value;
}

/** Newest first; `before` is the last row of the page before. */
export async function listDeadEvents(
  db: Queryable,
  page: { limit: number; before?: { created_at: string; id: string } | null },
): Promise<DeadEventRow[]> {
  return many<DeadEventRow>(db, {
    name: 'events-list-dead-events',
    text: `select ${columns} from dead_events
            where $1::timestamptz is null or (created_at, id) < ($1::timestamptz, $2::uuid)
            order by created_at desc, id desc
            limit $3`,
    values: [page.before?.created_at ?? null, page.before?.id ?? null, page.limit],
  });
}

export type Redriven = {
  row: DeadEventRow;
  /** Row of the outbox to wait for; null when the event was redriven before. */
  outboxId: string | null;
};

/**
 * Hands a dead event to its consumer again, through this service's own outbox and the usual retries. Its
 * envelope names the consumer: to all others the message is none of their business.
 */
export async function redriveDeadEvent(pool: Pool, id: string): Promise<Redriven | undefined> {
  return transaction(pool, async (tx) => {
    const claimed = await claimDeadEvent(tx, id);
    if (claimed === undefined) {
      const row = await findDeadEvent(tx, id);
      return row === undefined ? undefined : { row, outboxId: null };
    }
    const { envelope, ...row } = claimed;
    const outboxId = randomUUID();
    const copy = {
      id: outboxId,
      type: row.type,
      aggregateId: typeof envelope['subject'] === 'string' ? envelope['subject'] : '',
      version: Number.isSafeInteger(envelope['version']) ? Number(envelope['version']) : 0,
      envelope: JSON.stringify({ ...envelope, consumer: row.consumer }),
    };
    await insertOutbox(tx, [copy]);
    return { row, outboxId };
  });
}

async function claimDeadEvent(
  tx: Transaction,
  id: string,
): Promise<(DeadEventRow & { envelope: Record<string, unknown> }) | undefined> {
  return maybeOne(tx, {
    name: 'events-update-dead-event-redriven',
    text: `update dead_events set redriven_at = now() where id = $1 and redriven_at is null
           returning ${columns}, envelope`,
    values: [id],
  });
}

async function findDeadEvent(tx: Transaction, id: string): Promise<DeadEventRow | undefined> {
  return maybeOne(tx, {
    name: 'events-find-dead-event',
    text: `select ${columns} from dead_events where id = $1`,
    values: [id],
  });
}
