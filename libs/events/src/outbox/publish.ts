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
  /** Of the aggregate; grows with every change of it. */
  version: number;
  data: EventData<E>;
  /** The trace that the event belongs to; the active one by default. */
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

/** The same for several changes, by one statement. */
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

/** Throws here, where the writer sees it: a larger row could never be published, and the relay would retry it forever. */
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
  // A rolled-back savepoint leaves a needless wake-up behind, which costs one empty read of the outbox.
  tx.onCommit(wakeRelays);
  return insertOutbox(tx, rows);
}

const wakeUps = new WeakMap<Pool, Set<() => void>>();

/** Calls `wake` after each commit on this pool that left events to send. Returns a function that ends it. */
export function onOutboxFilled(pool: Pool, wake: () => void): () => void {
  const ofPool = wakeUps.get(pool) ?? new Set();
  wakeUps.set(pool, ofPool.add(wake));
  return () => void ofPool.delete(wake);
}

/** Does nothing in a process without a relay: the relays of other processes poll. */
function wakeRelays(pool: Pool): void {
  for (const wake of wakeUps.get(pool) ?? []) wake();
}

const republishBatch = 1_000;

/**
 * Heals a stream that lost messages: what was sent since then is sent again under new message ids, and
 * consumers that know an event pass it over. Small transactions, so that the relay goes on meanwhile.
 */
export async function republish(options: { pool: Pool; since: Date }): Promise<number> {
  const { pool, since } = options;
  // Without an upper bound the rows the relay has just sent again would be taken once more, for ever.
  const { now } = await one<{ now: string }>(pool, {
    name: 'events.get_clock',
    text: 'select clock_timestamp()::text as now',
    values: [],
  });
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
      values: [since, now, republishBatch],
    });
    total += marked;
    wakeRelays(pool);
    if (marked < republishBatch) return total;
  }
}
