import { Count, DeadEventStatus, Timestamp, Uuid } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { z } from 'zod';
import {
  dismissDeadLetterEvent,
  findDeadLetterEvent,
  listDeadLetterEvents,
  redriveDeadLetterEvent,
  waitRedriven,
} from '../consumer/dead-letter-events.ts';
import type { Nats } from '../nats/connect.ts';
import { republish } from '../outbox/publish.ts';
import { defineRpc, serveRpc } from './rpc.ts';
import type { RpcServer } from './rpc.ts';

const Row = z.object({
  id: Uuid,
  consumer: z.string(),
  event_id: Uuid.nullable(),
  type: z.string(),
  status: DeadEventStatus,
  error: z.string(),
  attempts: Count,
  created_at: Timestamp,
  last_failed_at: Timestamp,
  redriven_at: Timestamp.nullable(),
});
const ById = z.object({ id: Uuid });

/** Enough for a message that is applied or violates its schema. Retries of a failing handler take longer. */
const redriveWaitMs = 8_000;

/** Each service stores its own dead-letter events. The operator API requests them from all services. */
export const listDeadLetterEventsRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.list-dead-letter-events`,
    timeoutMs: 3_000,
    request: z.object({
      limit: z.int().min(1).max(200),
      before: z.object({ created_at: Timestamp, id: Uuid }).nullable(),
    }),
    reply: z.array(Row),
  });

/** Returns the message as JSON. Null, also in the two below: the service has no such event. */
export const findDeadLetterEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.find-dead-letter-event`,
    timeoutMs: 5_000,
    request: ById,
    reply: Row.extend({ message: z.unknown() }).nullable(),
  });

/** Returns when the message was applied or failed again, or after `redriveWaitMs` with the status `redriven`. */
export const redriveDeadLetterEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.redrive-dead-letter-event`,
    timeoutMs: redriveWaitMs + 5_000,
    request: ById,
    reply: Row.nullable(),
  });

export const dismissDeadLetterEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.dismiss-dead-letter-event`,
    timeoutMs: 5_000,
    request: ById,
    reply: Row.nullable(),
  });

/** Publishes the events since then again, after a stream was lost. */
export const republishRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.republish`,
    // Services mark up to seven days of events in steps. Below the timeout of operator API calls.
    timeoutMs: 25_000,
    request: z.object({ since: Timestamp }),
    reply: z.object({ events: Count }),
  });

/** Below the largest NATS message, with room for the rest of the reply. */
const maxMessageBytes = 1_000_000;
const shownCharacters = 100_000;

const maxListedError = 80;

/** The error on one line, short enough for a table. Only `get` returns the whole text. */
function summarize<R extends { error: string }>(row: R): R {
  return { ...row, error: summarizeError(row.error) };
}

function summarizeError(error: string): string {
  // These characters are part of zod's multi-line format.
  const line = error.replaceAll(/[✖→\s]+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxListedError ? line : `${characters.slice(0, maxListedError - 1).join('')}…`;
}

function presentMessage(envelope: unknown): unknown {
  const text = JSON.stringify(envelope);
  if (Buffer.byteLength(text) <= maxMessageBytes) return envelope;
  return { truncated: text.slice(0, shownCharacters).toWellFormed() };
}

type Serving = { nats: Nats; pool: Pool; service: string; log: Logger };

/** Serves the calls of the operator API about events. */
export function serveDeadLetterEvents({ nats, pool, service, log }: Serving): RpcServer {
  const serving = { queue: service, log };
  const servers = [
    serveRpc(
      nats,
      listDeadLetterEventsRpc(service),
      async (page) => {
        const rows = await listDeadLetterEvents(pool, page);
        return rows.map(summarize);
      },
      serving,
    ),
    serveRpc(
      nats,
      findDeadLetterEventRpc(service),
      async ({ id }) => {
        const found = await findDeadLetterEvent(pool, id);
        return found === undefined ? null : { ...found, message: presentMessage(found.envelope) };
      },
      serving,
    ),
    serveRpc(
      nats,
      redriveDeadLetterEventRpc(service),
      async ({ id }) => {
        if ((await redriveDeadLetterEvent(pool, id)) === undefined) return null;
        const row = await waitRedriven(pool, id, redriveWaitMs);
        return row === undefined ? null : summarize(row);
      },
      serving,
    ),
    serveRpc(
      nats,
      dismissDeadLetterEventRpc(service),
      async ({ id }) => {
        const row = await dismissDeadLetterEvent(pool, id);
        return row === undefined ? null : summarize(row);
      },
      serving,
    ),
    serveRpc(
      nats,
      republishRpc(service),
      async ({ since }) => ({ events: await republish({ pool, since: new Date(since) }) }),
      serving,
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
