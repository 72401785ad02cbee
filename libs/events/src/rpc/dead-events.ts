import { Count, DeadEventStatus, Timestamp, Uuid } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { z } from 'zod';
import {
  dismissDeadEvent,
  findDeadEvent,
  listDeadEvents,
  redriveDeadEvent,
  waitRedriven,
} from '../consumer/dead-events.ts';
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
export const listDeadEventsRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.list-dead-events`,
    timeoutMs: 3_000,
    request: z.object({
      limit: z.int().min(1).max(200),
      before: z.object({ created_at: Timestamp, id: Uuid }).nullable(),
    }),
    reply: z.array(Row),
  });

/** Returns the message as JSON. Null, also in the two below: the service has no such event. */
export const findDeadEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.find-dead-event`,
    timeoutMs: 5_000,
    request: ById,
    reply: Row.extend({ message: z.unknown() }).nullable(),
  });

/** Returns when the message was applied or failed again, or after `redriveWaitMs` with the status `redriven`. */
export const redriveDeadEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.redrive-dead-event`,
    timeoutMs: redriveWaitMs + 5_000,
    request: ById,
    reply: Row.nullable(),
  });

export const dismissDeadEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.dismiss-dead-event`,
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
export function serveDeadEvents({ nats, pool, service, log }: Serving): RpcServer {
  const serving = { queue: service, log };
  const servers = [
    serveRpc(
      nats,
      listDeadEventsRpc(service),
      async (page) => {
        const rows = await listDeadEvents(pool, page);
        return rows.map(summarize);
      },
      serving,
    ),
    serveRpc(
      nats,
      findDeadEventRpc(service),
      async ({ id }) => {
        const found = await findDeadEvent(pool, id);
        return found === undefined ? null : { ...found, message: presentMessage(found.envelope) };
      },
      serving,
    ),
    serveRpc(
      nats,
      redriveDeadEventRpc(service),
      async ({ id }) => {
        if ((await redriveDeadEvent(pool, id)) === undefined) return null;
        const row = await waitRedriven(pool, id, redriveWaitMs);
        return row === undefined ? null : summarize(row);
      },
      serving,
    ),
    serveRpc(
      nats,
      dismissDeadEventRpc(service),
      async ({ id }) => {
        const row = await dismissDeadEvent(pool, id);
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
