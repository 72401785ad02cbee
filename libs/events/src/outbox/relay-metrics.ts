import type { Metrics } from '@bv/telemetry';

export type RelayMetrics = {
  waiting(figures: { unsent: number; oldest_age_s: number }): void;
  published(type: string): void;
  failed(count: number): void;
};

export function relayMetrics(metrics: Metrics): RelayMetrics {
  const unsent = metrics.gauge({
    name: 'bv_outbox_unsent',
    help: 'Events not sent yet, counted up to 10,000.',
  });
  const oldestAge = metrics.gauge({
    name: 'bv_outbox_oldest_age_seconds',
    help: 'Age of the oldest event not sent yet.',
  });
  const published = metrics.counter({
    name: 'bv_outbox_published_total',
    help: 'Events acknowledged by the stream.',
    labelNames: ['type'],
  });
  const errors = metrics.counter({
    name: 'bv_outbox_publish_errors_total',
    help: 'Publications that failed; their events stay in the outbox.',
  });
  return {
    waiting: (figures) => {
      unsent.set(figures.unsent);
      oldestAge.set(figures.oldest_age_s);
    },
    published: (type) => published.inc({ type }),
    failed: (count) => errors.inc(count),
  };
}
