import { Count, Timestamp, Uuid } from '@bv/contract';
import type { Pool } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { z } from 'zod';
import { listDeadEvents, redriveDeadEvent } from '../consumer/dead-events.ts';
import type { Nats } from '../nats/connect.ts';
import { flushOutbox } from '../outbox/flush.ts';
import type { Relay } from '../outbox/relay.ts';
import { republish } from '../outbox/republish.ts';
import { defineRpc, serveRpc } from './rpc.ts';
import type { RpcServer } from './rpc.ts';

const Row = z.object({
  id: Uuid,
  consumer: z.string(),
  event_id: Uuid.nullable(),
  type: z.string(),
  error: z.string(),
  attempts: Count,
  created_at: Timestamp,
  redriven_at: Timestamp.nullable(),
});

/** Each service keeps its own dead events; the operator's plane asks them all. */
export const listDeadEventsRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.list-dead-events`,
    request: z.object({
      limit: z.int().min(1).max(200),
      before: z.object({ created_at: Timestamp, id: Uuid }).nullable(),
    }),
    reply: z.array(Row),
  });

/** Null: no such event here. `published` is what to wait for; empty when it was redriven before. */
export const redriveDeadEventRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.redrive-dead-event`,
    request: z.object({ id: Uuid }),
    reply: z
      .object({
        dead_event: Row,
        published: z.array(z.object({ subject: z.string(), seq: z.int() })),
      })
      .nullable(),
  });

/** What the service sent since then goes out again, as after a stream was lost. */
export const republishRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.republish`,
    request: z.object({ since: Timestamp }),
    reply: z.object({ events: Count }),
  });

const flushTimeoutMs = 2_000;

/** What the operator's plane asks of every service that sends and consumes events. */
export function serveDeadEvents(options: {
  nats: Nats;
  pool: Pool;
  relay: Relay;
  service: string;
  log: Logger;
}): RpcServer {
  const { nats, pool, relay, service, log } = options;
  const serving = { queue: service, log };
  const servers = [
    serveRpc(nats, listDeadEventsRpc(service), (page) => listDeadEvents(pool, page), serving),
    serveRpc(
      nats,
      redriveDeadEventRpc(service),
      async ({ id }) => {
        const redriven = await redriveDeadEvent(pool, id);
        if (redriven === undefined) return null;
        relay.kick();
        const ids = redriven.outboxId === null ? [] : [redriven.outboxId];
        return {
          dead_event: redriven.row,
          published: await flushOutbox({ pool, ids, timeoutMs: flushTimeoutMs }),
        };
      },
      serving,
    ),
    serveRpc(
      nats,
      republishRpc(service),
      async ({ since }) => {
        const events = await republish({ pool, since: new Date(since) });
        relay.kick();
        return { events };
      },
      serving,
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
