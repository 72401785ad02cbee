import type { Metrics } from '@bv/telemetry';

export type DispatcherMetrics = {
  attempted(outcome: string, durationMs: number): void;
  running(count: number): void;
  reclaimed(count: number): void;
  refused(count: number): void;
  held(count: number): void;
  lost(): void;
  ended(count: number): void;
};

export function dispatcherMetrics(metrics: Metrics): DispatcherMetrics {
  const attempts = metrics.counter({
    name: 'bv_webhooks_attempts_total',
    help: 'Attempts by outcome: succeeded, unknown, or the error.',
    labelNames: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'bv_webhooks_attempt_duration_seconds',
    help: 'Time of an attempt, from resolving to the end of the answer.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const running = metrics.gauge({
    name: 'bv_webhooks_attempts_in_flight',
    help: 'Attempts this process has in flight.',
  });
  const reclaimed = metrics.counter({
    name: 'bv_webhooks_leases_expired_total',
    help: 'Attempts that ended by their lease running out.',
  });
  const refused = metrics.counter({
    name: 'bv_webhooks_deliveries_unlinked_total',
    help: 'Deliveries ended unsent: organisation no longer linked, or partner suspended.',
  });
  const held = metrics.counter({
    name: 'bv_webhooks_secret_unavailable_total',
    help: 'Looks at endpoints that got nothing because no key opens one of their secrets; their deliveries wait.',
  });
  const lost = metrics.counter({
    name: 'bv_webhooks_outcomes_lost_total',
    help: 'Outcomes that came after the lease had passed on, or could not be stored.',
  });
  const dead = metrics.counter({
    name: 'bv_webhooks_deliveries_dead_total',
    help: 'Deliveries given up after their last attempt, or after a 410; failed pings among them.',
  });
  return {
    attempted: (outcome, durationMs) => {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
    running: (count) => running.set(count),
    reclaimed: (count) => reclaimed.inc(count),
    refused: (count) => refused.inc(count),
    held: (count) => held.inc(count),
    lost: () => lost.inc(),
    ended: (count) => dead.inc(count),
  };
}
