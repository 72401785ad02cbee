import { randomUUID } from 'node:crypto';
import { execute, one } from '@bv/postgres';
import type { Pool, Transaction } from '@bv/postgres';
import { injectTraceContext } from '@bv/telemetry';
import { parseStrictly, subjectOf } from '../define-event.ts';
import type { EventData, Envelope, EventDefinition } from '../define-event.ts';
import { insertOutbox, type NewRow } from './statements.ts';

/** Below the 1 MiB that a NATS server takes by default, headers included. */
const maxEnvelopeBytes = 1_000_000;

export type Publication<E extends EventDefinition> = {
  aggregateId: string;
  /** Version of the aggregate, which grows with each change. */
  version: number;
  data: EventData<E>;
  /** Trace of the event. Default: the active trace. */
  traceparent?: string | undefined;
};

/** Writes the event into the outbox, in the transaction of the change it reports. Returns the event's id. */
export async function publishEvent<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  publication: Publication<E>,
): Promise<string> {
  const row = toRow(event, publication);
  await insert(tx, event, [row]);
  return row.id;
}

/** Writes several events by one statement. */
export async function publishEvents<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  publications: readonly Publication<E>[],
): Promise<string[]> {
  if (publications.length === 0) return [];
  const rows = publications.map((publication) => toRow(event, publication));
  await insert(tx, event, rows);
  return rows.map(({ id }) => id);
}

function toRow<E extends EventDefinition>(event: E, publication: Publication<E>): NewRow {
  const { aggregateId, version } = publication;
  const id = randomUUID();
  const { traceparent } = publication.traceparent === undefined ? activeTrace() : publication;
  const envelope: Envelope = {
    id,
    source: event.source,
    type: event.type,
    subject: aggregateId,
    time: new Date().toISOString(),
    version,
    data: parseStrictly(event, publication.data),
    traceparent,
  };
  return { id, type: event.type, aggregateId, version, envelope: JSON.stringify(envelope) };
}

const activeTrace = (): { traceparent?: string } => injectTraceContext({});

/** Throws if an envelope is too large to be published, because the relay would retry it for ever. */
async function insert(tx: Transaction, event: EventDefinition, rows: readonly NewRow[]): Promise<void> {
  for (const { aggregateId, bytes } of await addToOutbox(tx, rows)) {
    if (bytes <= maxEnvelopeBytes) continue;
    throw new Error(`${subjectOf(event.type)} of ${aggregateId} exceeds ${maxEnvelopeBytes} bytes`);
  }
}

/** Inserts the rows. The relays of this process read the outbox as soon as the transaction has committed. */
export function addToOutbox(
  tx: Transaction,
  rows: readonly NewRow[],
): Promise<{ aggregateId: string; bytes: number }[]> {
  // After a rolled-back savepoint the wake-up is needless and costs one empty read of the outbox.
  tx.onCommit(wakeRelays);
  return insertOutbox(tx, rows);
}

const wakeUps = new WeakMap<Pool, Set<() => void>>();

/** Calls `wake` after each commit on this pool that wrote events. Returns an unsubscribe function. */
export function onOutboxFilled(pool: Pool, wake: () => void): () => void {
  const ofPool = wakeUps.get(pool) ?? new Set();
  wakeUps.set(pool, ofPool.add(wake));
  return () => void ofPool.delete(wake);
}

/** Has no effect in a process without a relay, because the relays of other processes poll. */
function wakeRelays(pool: Pool): void {
  for (const wake of wakeUps.get(pool) ?? []) wake();
}

const republishBatch = 1_000;

/**
 * Sends the events since then again under new message ids, for a stream that lost messages. Consumers ignore events that
 * their inbox has. Small transactions let the relay continue.
 */
export async function republish(options: {
  pool: Pool;
  since: Date | string;
  /** Default: now, so that rows that the relay has just sent again are not marked again, for ever. */
  until?: string;
}): Promise<number> {
  const { pool, since } = options;
  const until = options.until ?? (await getClock(pool));
  let total = 0;
  for (;;) {
    const marked = await execute(pool, {
      name: 'events.update_unsent',
      text: `update outbox
                set sent_at = null, stream_seq = null, republished = republished + 1
              where id in (select id from outbox
                            where sent_at >= $1 and sent_at <= $2::timestamptz
                            limit $3
                              for update)`,
      values: [since, until, republishBatch],
    });
    total += marked;
    wakeRelays(pool);
    if (marked < republishBatch) return total;
  }
}

async function getClock(pool: Pool): Promise<string> {
  const clock = { name: 'events.get_clock', text: 'select clock_timestamp()::text as now', values: [] };
  return (await one<{ now: string }>(pool, clock)).now;
}
