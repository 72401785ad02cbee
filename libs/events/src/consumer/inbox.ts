import { execute, many } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

/**
 * A row of dead_events whose message was sent again, by a redrive or a republication, becomes applied. This is in the
 * transaction of the effect, so that the status never contradicts it.
 */
const markApplied = (ids: string) =>
  `update dead_events set status = 'applied'
    where consumer = $1 and message_id = any(${ids}) and status <> 'applied'`;

/** False: the effect of this event is committed already. A second delivery at the same time waits here. */
export async function insertInbox(db: Queryable, consumer: string, eventId: string): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'events.insert_inbox',
    text: `with dead as (${markApplied('array[$2::text]')})
           insert into inbox (consumer, event_id) values ($1, $2::text::uuid) on conflict do nothing`,
    values: [consumer, eventId],
  });
  return inserted === 1;
}

/** Ordered, so that two replicas with the same events in their batches do not deadlock. Returns the new ids. */
export async function insertInboxBatch(
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
