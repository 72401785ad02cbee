import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import type { ConsumerInfo } from '@nats-io/jetstream';
import { subjectOf } from './define-event.ts';
import type { Nats } from './nats/connect.ts';
import { listOwnConsumers } from './nats/own-consumers.ts';
import { manager, streamName } from './nats/stream.ts';
import { listStreamSequences } from './outbox/statements.ts';

export type Published = { subject: string; seq: number };

/** The relay did not publish the events in time. They stay in the outbox and are published later. */
export class EventsUnsentError extends Error {
  override readonly name = 'EventsUnsentError';
  readonly unsent: number;

  constructor(unsent: number) {
    super(`${unsent} events are not sent yet`);
    this.unsent = unsent;
  }
}

const flushBackoff = { baseMs: 5, maxMs: 50 };

/** Waits until the relay has published these events. Returns their sequences in the stream. */
export async function flushOutbox(options: {
  pool: Pool;
  ids: readonly string[];
  timeoutMs: number;
}): Promise<Published[]> {
  const { pool, ids, timeoutMs } = options;
  if (ids.length === 0) return [];
  const deadline = Date.now() + timeoutMs;
  for (let retry = 0; ; retry += 1) {
    const rows = await listStreamSequences(pool, ids);
    if (rows.length < new Set(ids).size) throw new Error('these events are not in the outbox');
    const sent = rows.flatMap((row) =>
      row.stream_seq === null ? [] : [{ subject: subjectOf(row.type), seq: row.stream_seq }],
    );
    if (sent.length === rows.length) return sent;
    const waitMs = backoffMs(flushBackoff, retry);
    if (Date.now() + waitMs > deadline) throw new EventsUnsentError(rows.length - sent.length);
    await sleep(waitMs);
  }
}

export type Applied = { ok: true } | { ok: false; waitingFor: string[] };

/** Waits until every consumer of these events has acknowledged all messages up to them. */
export async function waitApplied(options: {
  nats: Nats;
  published: readonly Published[];
  timeoutMs: number;
}): Promise<Applied> {
  const { nats, published, timeoutMs } = options;
  if (published.length === 0) return { ok: true };
  const deadline = Date.now() + timeoutMs;
  let waiting: ConsumerInfo[] | undefined;
  for (let retry = 0; ; retry += 1) {
    try {
      const states = waiting === undefined ? await listOwnConsumers(nats) : await refresh(nats, waiting);
      waiting = states.filter((info) => info.ack_floor.stream_seq < lastSequenceFor(info, published));
      if (waiting.length === 0) return { ok: true };
    } catch {
      // NATS is unavailable: retry until the deadline.
    }
    const pauseMs = backoffMs({ baseMs: 5, maxMs: 100 }, retry);
    if (Date.now() + pauseMs >= deadline) {
      return { ok: false, waitingFor: waiting?.map((info) => info.name).sort() ?? ['nats'] };
    }
    await sleep(pauseMs);
  }
}

async function refresh(nats: Nats, waiting: ConsumerInfo[]): Promise<ConsumerInfo[]> {
  const { consumers } = await manager(nats);
  return Promise.all(waiting.map((info) => consumers.info(streamName, info.name)));
}

/** 0 if none of the events is for this consumer. */
function lastSequenceFor(info: ConsumerInfo, published: readonly Published[]): number {
  const filter = info.config.filter_subject ?? '>';
  return Math.max(0, ...published.filter(({ subject }) => matches(filter, subject)).map(({ seq }) => seq));
}

/** NATS subject matching: `*` is one token, `>` is one or more at the end. */
export function matches(filter: string, subject: string): boolean {
  const tokens = subject.split('.');
  const parts = filter.split('.');
  const open = parts.at(-1) === '>';
  const fixed = open ? parts.slice(0, -1) : parts;
  if (open ? tokens.length <= fixed.length : tokens.length !== fixed.length) return false;
  return fixed.every((part, index) => part === '*' || part === tokens[index]);
}
