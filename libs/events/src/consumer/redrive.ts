import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { maybeOne, transaction } from '@bv/postgres';
import type { Pool, Transaction } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { addToOutbox } from '../outbox/publish.ts';
import { deadEventColumns, findDeadEvent } from './dead-events.ts';
import type { DeadEventDetail, DeadEventRow } from './dead-events.ts';
import { deleteFailedAttempts } from './failed-attempts.ts';

export type Redriven = {
  row: DeadEventRow;
  /** Row of the outbox to wait for; null when a recent redrive has no outcome yet or the event is applied. */
  outboxId: string | null;
};

/**
 * Sends a dead-letter event to its consumer again, through this service's own outbox and the usual retries. The
 * envelope names the consumer, so that all others ignore it, and the message, so that a new failure updates its row.
 */
export async function redriveDeadEvent(pool: Pool, id: string): Promise<Redriven | undefined> {
  return transaction(pool, async (tx) => {
    const claimed = await lockDeadEvent(tx, id);
    if (claimed === undefined) {
      const row = await findDeadEvent(tx, id);
      return row === undefined ? undefined : { row, outboxId: null };
    }
    const { envelope: stored, message_id: messageId, ...row } = claimed;
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

async function lockDeadEvent(
  tx: Transaction,
  id: string,
): Promise<(DeadEventDetail & { message_id: string }) | undefined> {
  return maybeOne(tx, {
    name: 'events.update_dead_event_redriven',
    text: `update dead_events set status = 'redriven', redriven_at = now(), prior_attempts = attempts
            where id = $1
              and (status in ('dead', 'dismissed')
                   or status = 'redriven' and redriven_at <= now() - make_interval(mins => $2))
           returning ${deadEventColumns}, envelope, message_id`,
    values: [id, redriveAgainMinutes],
  });
}

const pollBackoff = { baseMs: 20, maxMs: 250 };

/** The row once the redriven message was applied or failed for good; as it is then, where neither is in time. */
export async function waitRedriven(
  pool: Pool,
  id: string,
  timeoutMs: number,
): Promise<DeadEventRow | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (let retry = 0; ; retry += 1) {
    const row = await findDeadEvent(pool, id);
    const pauseMs = backoffMs(pollBackoff, retry);
    if (row?.status !== 'redriven' || Date.now() + pauseMs > deadline) return row;
    await sleep(pauseMs);
  }
}
