import { Count, Queue } from '@bv/contract';
import { maybeOne, one, type Pool, type Queryable } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { z } from 'zod';
import type { Nats } from '../nats/connect.ts';
import { defineRpc, serveRpc, type RpcServer } from './rpc.ts';

/** Backlogs are counted up to this number, which keeps the count fast. */
export const maxCounted = 10_000;

export const statusRpc = (service: string) =>
  defineRpc({
    subject: `rpc.${service}.status`,
    timeoutMs: 3_000,
    request: z.object({}),
    reply: z.object({ migration: z.string().nullable(), dead_events: Count, queues: z.array(Queue) }),
  });

type Serving = {
  nats: Nats;
  pool: Pool;
  service: string;
  log: Logger;
  /** Backlogs of the service in addition to its outbox. */
  queues?: (() => Promise<Queue[]>) | undefined;
};

export function serveStatus({ nats, pool, service, log, queues }: Serving): RpcServer {
  return serveRpc(
    nats,
    statusRpc(service),
    async () => ({
      migration: await findLastMigration(pool),
      dead_events: await countDeadLetterEvents(pool),
      queues: [await getOutboxQueue(pool), ...((await queues?.()) ?? [])],
    }),
    { queue: service, log },
  );
}

async function findLastMigration(db: Queryable): Promise<string | null> {
  const row = await maybeOne<{ name: string }>(db, {
    name: 'events.find_last_migration',
    text: 'select name::text from schema_migrations order by id desc limit 1',
    values: [],
  });
  return row?.name ?? null;
}

async function countDeadLetterEvents(db: Queryable): Promise<number> {
  const { count } = await one<{ count: number }>(db, {
    name: 'events.count_dead_letter_events',
    text: `select count(*) as count
           from (select from dead_letter_events where status in ('dead', 'redriven') limit $1) open_events`,
    values: [maxCounted],
  });
  return count;
}

async function getOutboxQueue(db: Queryable): Promise<Queue> {
  const backlog = await one<Omit<Queue, 'name'>>(db, {
    name: 'events.get_outbox_backlog',
    text: `select count(*) as waiting,
             case when count(*) > 0 then
               greatest(0, extract(epoch from clock_timestamp() - min(created_at)))::float8
             end as oldest_seconds
           from (select created_at from outbox where sent_at is null order by created_at limit $1) unsent`,
    values: [maxCounted],
  });
  return { name: 'outbox', ...backlog };
}
