import { setTimeout as sleep } from 'node:timers/promises';
import { createNotifier, startInterval } from '@bv/lifecycle';
import { removeInBatches, type Pool, type Transaction } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { TypedEnvelope, Source } from '../define-event.ts';
import type { Nats } from '../nats/connect.ts';
import { defaultAckWaitMs, defaultMaxAckPending, manager, streamName } from '../nats/stream.ts';
import type { AnyEvent, SourceEvent } from '../registry.ts';
import { createStateLog } from '../retry.ts';
import { deleteOldFailedAttempts } from './dead-letter-events.ts';
import { createConsumerMetrics } from './metrics.ts';
import { createProcessor, deleteInbox } from './process.ts';
import type { AnyBatch, AnyHandler, Prepare } from './process.ts';
import { createPull } from './pull.ts';
import { createAvailability, createRetryBacklog, defaultRetryDelaysMs } from './settle.ts';
import type { ConsumerContext } from './settle.ts';

type EnvelopeOfType<T> = TypedEnvelope<Extract<AnyEvent, { type: T }>>;

/** By event type. The effect of a handler through `tx` is committed together with its row of the inbox. */
export type Handlers<S extends Source> = {
  [T in SourceEvent<S>['type']]?: (tx: Transaction, envelope: EnvelopeOfType<T>) => Promise<void>;
};

/** Handles many events of one type in one transaction. */
export type Batch<T extends AnyEvent['type']> = {
  type: T;
  /** At most 200. */
  size: number;
  /** How long the first event of a batch waits for others. */
  maxWaitMs: number;
  handler(tx: Transaction, envelopes: EnvelopeOfType<T>[]): Promise<void>;
};

/** A batch of any one type of the source. */
export type SourceBatch<S extends Source> = {
  [T in SourceEvent<S>['type']]: Batch<T>;
}[SourceEvent<S>['type']];

export type Consumer = {
  readonly name: string;
  /** Stops fetching, finishes messages in progress, returns the others (`nak`). */
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
   * Runs before the transaction of an event or a batch, so that no connection is held during a request to another
   * service. It must be idempotent, because it also runs for events that the inbox has. At most 10 s.
   */
  prepare?: (envelopes: readonly TypedEnvelope<SourceEvent<S>>[]) => Promise<void>;
  /** Handlers that run at the same time. Versions order the events of an aggregate, not their arrival. */
  concurrency?: number;
  retryDelaysMs?: readonly number[];
  ackWaitMs?: number;
  /** Messages without an acknowledgement at one time, including those that wait for a retry. */
  maxAckPending?: number;
  log: Logger;
  metrics: Metrics;
};

const retentionDays = 14;
/** A handler that takes longer than this may see its message delivered to another replica as well. */
const maxHandlerMs = 5 * 60 * 1_000;

/** A union over the sources, so that `source` alone gives every handler its types. */
type AnyConsumerOptions = { [S in Source]: ConsumerOptions<S> }[Source];

const maxBatchSize = 200;

/** Durable pull consumer `<service>-<source>`: replicas of a service share its messages. */
export async function startConsumer(options: AnyConsumerOptions): Promise<Consumer> {
  const { pool, nats, service, source, concurrency = 16, ackWaitMs = defaultAckWaitMs } = options;
  const { maxAckPending = defaultMaxAckPending } = options;
  const name = `${service}-${source}`;
  const log = options.log.child({ consumer: name });
  const handlers = options.handlers as Record<string, AnyHandler | undefined>;
  const batch = options.batch as AnyBatch | undefined;
  if (batch !== undefined && batch.size > maxBatchSize)
    throw new RangeError(`a batch holds at most ${maxBatchSize}`);
  const types = [...Object.keys(handlers), ...(batch === undefined ? [] : [batch.type])];
  const meters = createConsumerMetrics(options.metrics, name, types);
  const notifier = createNotifier();
  const unavailable = {
    up: 'database available again',
    down: 'database unavailable; consumer paused',
  };
  const ctx: ConsumerContext = {
    consumer: name,
    pool,
    log,
    meters,
    availability: createAvailability(pool, createStateLog(log, unavailable)),
    retryDelaysMs: options.retryDelaysMs ?? defaultRetryDelaysMs,
    retryBacklog: createRetryBacklog(nats, name, maxAckPending),
    inFlight: new Map(),
  };
  const prepare = (options.prepare ?? (async () => {})) as Prepare;
  const processor = createProcessor(ctx, { handlers, batch, concurrency, prepare });
  const filterSubject = `events.${source}.>`;
  const durable = { name, filterSubject, ackWaitMs, maxAckPending };
  const pull = createPull(ctx, { nats, ...durable, processor, notifier });
  await pull.firstSetUp;

  const warn = (error: unknown): void => log.warn({ err: error }, 'consumer maintenance failed');
  // All consumers of a service share its inbox, and any of them may prune it.
  const prune = async (stopping: AbortSignal) => {
    for (const remove of [deleteInbox, deleteOldFailedAttempts])
      await removeInBatches((limit) => remove(pool, retentionDays, limit), stopping);
  };
  const maintenance = [
    startInterval(ackWaitMs / 3, () => extendAckWait(ctx), warn),
    startInterval(10_000, () => readState(nats, name, ctx), warn),
    startInterval(60 * 60 * 1_000, prune, warn),
  ];
  return {
    name,
    stop: async () => {
      await pull.stop();
      await processor.stop();
      await Promise.all(maintenance.map((interval) => interval.stop()));
      // So that the acknowledgements are not lost with the process.
      if (nats.isConnected()) {
        await Promise.race([nats.connection.flush(), sleep(1_000, undefined, { ref: false })]).catch(warn);
      }
    },
  };
}

/** Extends the `ack_wait` of messages in progress. */
async function extendAckWait({ inFlight }: ConsumerContext): Promise<void> {
  const oldest = Date.now() - maxHandlerMs;
  for (const [message, receivedAt] of inFlight) {
    if (receivedAt > oldest) message.working();
  }
}

async function readState(nats: Nats, name: string, { meters }: ConsumerContext): Promise<void> {
  if (!nats.isConnected()) return;
  const { consumers } = await manager(nats);
  meters.state(await consumers.info(streamName, name));
}
