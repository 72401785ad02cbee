import { execute, many, maybeOne, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type UnsentRow = { id: string; type: string; envelope: string; republished: number };

export type NewRow = { id: string; type: string; aggregateId: string; version: number; envelope: string };

/**
 * Returns the size in bytes of each row as the relay sends it. The text of `jsonb` has more white space than the given
 * envelope.
 */
export function insertOutbox(
  db: Queryable,
  rows: readonly NewRow[],
): Promise<{ aggregateId: string; bytes: number }[]> {
  return many(db, {
    name: 'events.insert_outbox',
    text: `insert into outbox (id, type, aggregate_id, version, envelope)
           select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::jsonb[])
           returning aggregate_id as "aggregateId", octet_length(envelope::text) as bytes`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ type }) => type),
      rows.map(({ aggregateId }) => aggregateId),
      rows.map(({ version }) => version),
      rows.map(({ envelope }) => envelope),
    ],
  });
}

/** Locks the oldest unsent rows. A condition `id > last` would skip a row that commits late. */
export async function lockUnsent(db: Queryable, limit: number): Promise<UnsentRow[]> {
  return many<UnsentRow>(db, {
    name: 'events.lock_unsent',
    text: `select id, type, envelope::text as envelope, republished
             from outbox
            where sent_at is null
            order by created_at
            limit $1
              for update skip locked`,
    values: [limit],
  });
}

export async function updateSent(db: Queryable, sent: { id: string; seq: number }[]): Promise<void> {
  await execute(db, {
    name: 'events.update_sent',
    text: `update outbox set sent_at = clock_timestamp(), stream_seq = sent.seq
             from unnest($1::uuid[], $2::bigint[]) as sent (id, seq)
            where outbox.id = sent.id`,
    values: [sent.map((row) => row.id), sent.map((row) => row.seq)],
  });
}

/** Counts up to 10,000, because an exact larger number would cost a scan. */
export async function countUnsent(db: Queryable): Promise<{ unsent: number; oldest_age_s: number }> {
  return one(db, {
    name: 'events.count_unsent',
    text: `select count(*) as unsent,
                  coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest_age_s
             from (select created_at from outbox where sent_at is null order by created_at limit 10000) as waiting`,
    values: [],
  });
}

export async function deleteSent(db: Queryable, olderThanDays: number, limit: number): Promise<number> {
  return execute(db, {
    name: 'events.delete_sent',
    text: `delete from outbox
            where id in (select id from outbox
                          where sent_at < now() - make_interval(days => $1)
                          limit $2
                            for update skip locked)`,
    values: [olderThanDays, limit],
  });
}

export async function listStreamSequences(
  db: Queryable,
  ids: readonly string[],
): Promise<{ type: string; stream_seq: number | null }[]> {
  return many(db, {
    name: 'events.list_stream_sequences',
    text: `select type, stream_seq from outbox where id = any($1::uuid[])`,
    values: [ids],
  });
}

export type SentRow = { id: string; seq: number; since: string; until: string };

/**
 * The event sent first or last, and the ten minutes before and after it. Not in the last day of retention, when the
 * stream may have removed the message.
 */
export function findSent(db: Queryable, end: 'oldest' | 'newest'): Promise<SentRow | undefined> {
  return maybeOne(db, {
    name: end === 'oldest' ? 'events.find_oldest_sent' : 'events.find_newest_sent',
    text: `select id, stream_seq as seq, (sent_at - interval '10 minutes')::text as since,
                  greatest(sent_at, least(sent_at + interval '10 minutes', clock_timestamp()))::text as until
             from outbox
            where sent_at > now() - interval '6 days'
            order by sent_at ${end === 'oldest' ? 'asc' : 'desc'}
            limit 1`,
    values: [],
  });
}
