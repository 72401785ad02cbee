import { execute, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

/** Counts one more failure of a message, over all replicas. Returns how many there are. */
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

/** A message that is redriven has all its attempts again. */
export async function deleteFailedAttempts(
  db: Queryable,
  consumer: string,
  messageId: string,
): Promise<void> {
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
