import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { Nats } from '../nats/connect.ts';
import { deleteConsumersAhead } from '../nats/own-consumers.ts';
import { hasEvent, secondLookMs } from '../nats/stream.ts';
import { republish } from './publish.ts';
import { findSent } from './statements.ts';

export type LostEvents = {
  /** Looks for lost events and publishes them again: on each new connection to NATS, after a failure and every 5 s. */
  repairWhenDue(): Promise<void>;
  failed(): void;
  /** Whether the stream of this connection has been looked at. It may be another or older one than before. */
  isChecked(): boolean;
};

const intervalMs = 5_000;
/** If a stream does not keep what it gets, publishing again all the time would overload it and the database. */
const afterRepairMs = 10 * 60 * 1_000;

type Options = { pool: Pool; nats: Nats; metrics: Metrics };

export function createLostEvents({ pool, nats, metrics }: Options, log: Logger): LostEvents {
  const counter = metrics.counter({
    name: 'bv_outbox_lost_total',
    help: 'Sent events that the stream no longer had; they are published again.',
  });
  const currentSession = () => `${nats.connection.info?.server_id} ${nats.connection.info?.client_id}`;
  let session: string | undefined;
  let nextLookAt = 0;
  return {
    repairWhenDue: async () => {
      const isNew = session !== currentSession();
      if (!isNew && Date.now() < nextLookAt) return;
      session = currentSession();
      nextLookAt = Date.now() + intervalMs;
      // Before this relay publishes: new messages would hide that the stream had ended before a consumer's position.
      const ahead = isNew ? await deleteConsumersAhead(nats) : [];
      if (ahead.length > 0)
        log.error({ consumers: ahead }, 'consumers past the end of the stream start again');
      const lost = await republishLost(pool, nats);
      if (lost === 0) return;
      nextLookAt = Date.now() + afterRepairMs;
      counter.inc(lost);
      log.error({ events: lost }, 'the stream has lost events; they are published again');
    },
    failed: () => {
      session = undefined;
    },
    isChecked: () => session === currentSession(),
  };
}

/**
 * Republishes sent events that the stream no longer has. A new stream lacks the oldest, one that was set back the newest.
 * Each step marks the events around one of them, so that an interrupted repair is continued. Returns their number.
 */
async function republishLost(pool: Pool, nats: Nats): Promise<number> {
  let marked = 0;
  for (const end of ['oldest', 'newest'] as const) {
    for (;;) {
      const row = await findSent(pool, end);
      if (row === undefined || (await hasEvent(nats, row))) break;
      // Right after its election a leader of the stream may not have all messages.
      if (marked === 0) await sleep(secondLookMs);
      if (marked === 0 && (await hasEvent(nats, row))) break;
      marked += await republish({ pool, ...row });
    }
  }
  return marked;
}
