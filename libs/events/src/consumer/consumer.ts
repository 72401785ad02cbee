import { setTimeout as sleep } from 'node:timers/promises';
import { removeInBatches, type Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { TypedEnvelope, Source } from '../define-event.ts';
import type { Nats } from '../nats/connect.ts';
import { defaultAckWaitMs, defaultMaxAckPending, manager, streamName } from '../nats/stream.ts';
import type { SourceEvent } from '../registry.ts';
import { createNotifier, startInterval } from '@bv/lifecycle';
import { createStateLog } from '../pacing.ts';
import { createAvailability } from './availability.ts';
import { consumerMetrics } from './consumer-metrics.ts';
import { createDispatcher } from './dispatch.ts';
import type { AnyBatch, AnyHandler, SourceBatch, Handlers } from './handlers.ts';
import { deleteOldFailedAttempts } from './failed-attempts.ts';
import { deleteInbox } from './inbox.ts';
import { bounded, type Prepare } from './prepare.ts';
import { createPull } from './pull.ts';
import { createRetryBacklog } from './retry-backlog.ts';
import { defaultRetryDelaysMs } from './settle.ts';
import type { Settling } from './settle.ts';

export type Consumer = {
  readonly name: string;
  /** Takes no more messages, ends those at hand and hands back those not begun. */
  stop(): Promise<void>;
};

export type ConsumerOptions<S extends Source> = {
  pool: Pool;
  nats: Nats;
  service: string;
  source: S;
  handlers: Handlers<S>;
  batch?: SourceBatch<S>;
  /**
   * Runs before the transaction of an event, or of a batch, so that no connection is held while another service is
   * asked. What it does must bear repeating: it also runs for events that turn out to be known. At most 10 s.
   */
  prepare?: (envelopes: readonly TypedEnvelope<SourceEvent<S>>[]) => Promise<void>;
  /** Handlers that run at the same time. Order within an aggregate is by version, never by arrival. */
  concurrency?: number;
  retryDelaysMs?: readonly number[];
  ackWaitMs?: number;
  /** Messages not acknowledged at one time, those that wait for a retry included. */
  maxAckPending?: number;
  log: Logger;
  metrics: Metrics;
};

const retentionDays = 14;
const pruneBatch = 1_000;
/** A handler that takes longer than this may see its message delivered to another replica as well. */
const maxHandlerMs = 5 * 60 * 1_000;

/** One of the sources: a union, so that `source` alone gives every handler its types. */
type AnyConsumerOptions = { [S in Source]: ConsumerOptions<S> }[Source];

const largestBatch = 200;

/** Durable pull consumer `<service>-<source>`: replicas of a service share its messages. */
export async function startConsumer(options: AnyConsumerOptions): Promise<Consumer> {
  const { pool, nats, service, source, concurrency = 16, ackWaitMs = defaultAckWaitMs } = options;
  const { maxAckPending = defaultMaxAckPending } = options;
  const name = `${service}-${source}`;
  const log = options.log.child({ consumer: name });
  const handlers = options.handlers as Record<string, AnyHandler | undefined>;
  const batch = options.batch as AnyBatch | undefined;
  if (batch !== undefined && batch.size > largestBatch)
    throw new RangeError(`a batch holds at most ${largestBatch}`);
  const types = [...Object.keys(handlers), ...(batch === undefined ? [] : [batch.type])];
  const meters = consumerMetrics(options.metrics, name, types);
  const notifier = createNotifier();
  const unavailable = {
    up: 'database answers again',
    down: 'database does not answer; no messages are taken',
  };
  const settling: Settling = {
    consumer: name,
    pool,
    log,
    meters,
    availability: createAvailability(pool, createStateLog(log, unavailable)),
    retryDelaysMs: options.retryDelaysMs ?? defaultRetryDelaysMs,
    retryBacklog: createRetryBacklog(nats, name, maxAckPending),
    prepare: bounded((options.prepare ?? (async () => {})) as Prepare),
    inFlight: new Map(),
  };
  const dispatcher = createDispatcher({ handlers, batch, concurrency, settling });
  const filterSubject = `events.${source}.>`;
  const durable = { name, filterSubject, ackWaitMs, maxAckPending };
  const pull = createPull({ nats, ...durable, dispatcher, settling, notifier });
  await pull.firstTry;

  const warn = (error: unknown): void => log.warn({ err: error }, 'consumer upkeep failed');
  // All consumers of a service share its inbox, and any of them may prune it.
  const prune = async (stopping: AbortSignal) => {
    for (const remove of [deleteInbox, deleteOldFailedAttempts])
      await removeInBatches(pruneBatch, (limit) => remove(pool, retentionDays, limit), stopping);
  };
  const upkeep = [
    startInterval(ackWaitMs / 3, () => keepAlive(settling), warn),
    startInterval(10_000, () => readState(nats, name, settling), warn),
    startInterval(60 * 60 * 1_000, prune, warn),
  ];
  return {
    name,
    stop: async () => {
      await pull.stop();
      await dispatcher.stop();
      await Promise.all(upkeep.map((interval) => interval.stop()));
      // So that the acknowledgements are not lost with the process.
      if (nats.isConnected()) {
        await Promise.race([nats.connection.flush(), sleep(1_000, undefined, { ref: false })]).catch(warn);
      }
    },
  };
}

async function keepAlive({ inFlight }: Settling): Promise<void> {
  const oldest = Date.now() - maxHandlerMs;
  for (const [message, takenAt] of inFlight) {
    if (takenAt > oldest) message.working();
  }
}

async function readState(nats: Nats, name: string, { meters }: Settling): Promise<void> {
  if (!nats.isConnected()) return;
  const { consumers } = await manager(nats);
  meters.state(await consumers.info(streamName, name));
}
