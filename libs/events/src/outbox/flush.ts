import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@bv/postgres';
import { subjectOf } from '../define-event.ts';
import { listStreamSequences } from './statements.ts';

export type Published = { subject: string; seq: number };

/** The relay did not get the events out in time; they stay in the outbox and will go out. */
export class EventsUnsentError extends Error {
  override readonly name = 'EventsUnsentError';
  readonly unsent: number;

  constructor(unsent: number) {
    super(`${unsent} events are not sent yet`);
    this.unsent = unsent;
  }
}

/** Waits until the relay has sent these events and says where in the stream they are. */
export async function flushOutbox(options: {
  pool: Pool;
  ids: readonly string[];
  timeoutMs: number;
}): Promise<Published[]> {
  const { pool, ids, timeoutMs } = options;
  if (ids.length === 0) return [];
  const deadline = Date.now() + timeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(50, waitMs * 2)) {
    const rows = await listStreamSequences(pool, ids);
    if (rows.length < new Set(ids).size) throw new Error('these events are not in the outbox');
    const sent = rows.flatMap((row) =>
      row.stream_seq === null ? [] : [{ subject: subjectOf(row.type), seq: row.stream_seq }],
    );
    if (sent.length === rows.length) return sent;
    if (Date.now() + waitMs > deadline) throw new EventsUnsentError(rows.length - sent.length);
    await sleep(waitMs);
  }
}
