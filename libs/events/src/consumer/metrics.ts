import type { Metrics } from '@bv/telemetry';
import type { ConsumerInfo } from '@nats-io/jetstream';

/** The result of processing a message. */
export type Outcome = 'applied' | 'duplicate' | 'ignored' | 'retry' | 'unavailable' | 'dead';

export type ConsumerMetrics = {
  processed(type: string, outcome: Outcome): void;
  redelivered(): void;
  handled(type: string, seconds: number): void;
  state(info: ConsumerInfo): void;
};

export function createConsumerMetrics(
  metrics: Metrics,
  consumer: string,
  types: readonly string[],
): ConsumerMetrics {
  const processed = metrics.counter({
    name: 'bv_consumer_events_total',
    help: 'Messages by outcome.',
    labelNames: ['consumer', 'type', 'outcome'],
  });
  const dead = metrics.counter({
    name: 'bv_consumer_dead_total',
    help: 'Dead-letter events.',
    labelNames: ['consumer', 'type'],
  });
  // A series whose first value is 1 has no increase to alert on.
  for (const type of types) dead.inc({ consumer, type }, 0);
  const redeliveries = metrics.counter({
    name: 'bv_consumer_redeliveries_total',
    help: 'Messages that were delivered again.',
    labelNames: ['consumer'],
  });
  const seconds = metrics.histogram({
    name: 'bv_consumer_handler_seconds',
    help: 'Time of a handler with its transaction.',
    labelNames: ['consumer', 'type'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const pending = metrics.gauge({
    name: 'bv_consumer_pending',
    help: 'Messages of the stream that are not delivered to this consumer yet.',
    labelNames: ['consumer'],
  });
  const ackPending = metrics.gauge({
    name: 'bv_consumer_ack_pending',
    help: 'Messages that are delivered to this consumer and not acknowledged.',
    labelNames: ['consumer'],
  });
  return {
    processed: (type, outcome) => {
      processed.inc({ consumer, type, outcome });
      if (outcome === 'dead') dead.inc({ consumer, type });
    },
    redelivered: () => redeliveries.inc({ consumer }),
    handled: (type, duration) => seconds.observe({ consumer, type }, duration),
    state: (info) => {
      pending.set({ consumer }, info.num_pending);
      ackPending.set({ consumer }, info.num_ack_pending);
    },
  };
}
