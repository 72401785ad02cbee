import { EndpointStatus } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import type { Backlog, EndpointCount } from './db/maintenance.ts';
import { type SecretCount, secretKeyStates } from './db/endpoint-secrets.ts';

export type DispatcherMetrics = {
  attempted(outcome: string, durationMs: number): void;
  inFlight(count: number): void;
  connectionOpened(): void;
  connectionReused(): void;
  resent(): void;
  leasesExpired(count: number): void;
  unlinked(count: number): void;
  secretsUnavailable(count: number): void;
  outcomeLost(): void;
  dead(count: number): void;
};

export function dispatcherMetrics(metrics: Metrics): DispatcherMetrics {
  const attempts = metrics.counter({
    name: 'bv_webhooks_attempts_total',
    help: 'Attempts by outcome: succeeded, unknown, or the error.',
    labelNames: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'bv_webhooks_attempt_duration_seconds',
    help: 'Time of an attempt, with connecting where it needs a connection, to the end of the response.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
  const inFlight = metrics.gauge({
    name: 'bv_webhooks_attempts_in_flight',
    help: 'Attempts this process has in flight.',
  });
  const connections = metrics.counter({
    name: 'bv_webhooks_connections_total',
    help: 'Requests by their connection to the receiver: opened for it, or reused.',
    labelNames: ['connection'],
  });
  const resent = metrics.counter({
    name: 'bv_webhooks_resent_total',
    help: 'Attempts that sent their request twice, because a reused connection was closed before a response.',
  });
  const leasesExpired = metrics.counter({
    name: 'bv_webhooks_leases_expired_total',
    help: 'Attempts that ended because their lease expired.',
  });
  const unlinked = metrics.counter({
    name: 'bv_webhooks_deliveries_unlinked_total',
    help: 'Deliveries that ended unsent: organisation no longer linked, or partner suspended.',
  });
  const secretsUnavailable = metrics.counter({
    name: 'bv_webhooks_secret_unavailable_total',
    help: 'Checks of endpoints whose deliveries wait because no key decrypts one of their secrets.',
  });
  const outcomesLost = metrics.counter({
    name: 'bv_webhooks_outcomes_lost_total',
    help: 'Outcomes that arrived after the lease had expired, or could not be stored.',
  });
  const dead = metrics.counter({
    name: 'bv_webhooks_deliveries_dead_total',
    help: 'Deliveries that failed for good: after their last attempt or a 410, failed pings included.',
  });
  return {
    attempted: (outcome, durationMs) => {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
    inFlight: (count) => inFlight.set(count),
    connectionOpened: () => connections.inc({ connection: 'opened' }),
    connectionReused: () => connections.inc({ connection: 'reused' }),
    resent: () => resent.inc(),
    leasesExpired: (count) => leasesExpired.inc(count),
    unlinked: (count) => unlinked.inc(count),
    secretsUnavailable: (count) => secretsUnavailable.inc(count),
    outcomeLost: () => outcomesLost.inc(),
    dead: (count) => dead.inc(count),
  };
}

export type BacklogSample = {
  backlog: Backlog;
  endpoints: readonly EndpointCount[];
  secrets: readonly SecretCount[];
};

/** Every process reports the values of the whole database: aggregate them with max, not sum. */
export function backlogMetrics(metrics: Metrics): (sample: BacklogSample) => void {
  const lag = metrics.gauge({
    name: 'bv_webhooks_lease_lag_seconds',
    help: 'How long the longest waiting endpoint has waited for a dispatcher. Grows while dispatchers are too slow or missing.',
  });
  const deliveries = metrics.gauge({
    name: 'bv_webhooks_deliveries',
    help: 'Pending and delivering deliveries, by status. Counted up to 100,000 each.',
    labelNames: ['status'],
  });
  const endpoints = metrics.gauge({
    name: 'bv_webhooks_endpoints',
    help: 'Endpoints by status.',
    labelNames: ['status'],
  });
  const breakers = metrics.gauge({
    name: 'bv_webhooks_circuit_breakers_open',
    help: 'Active endpoints whose deliveries wait because their receiver is down.',
  });
  const liveSecrets = metrics.gauge({
    name: 'bv_webhooks_secrets',
    help: 'Live secrets by the key that encrypted them: the first of WEBHOOKS_SECRET_KEYS, an older one, or a missing one.',
    labelNames: ['key'],
  });
  return ({ backlog, endpoints: counts, secrets }) => {
    lag.set(backlog.lease_lag_seconds);
    deliveries.set({ status: 'pending' }, backlog.pending);
    deliveries.set({ status: 'delivering' }, backlog.delivering);
    breakers.set(backlog.breakers_open);
    for (const status of EndpointStatus.options) {
      endpoints.set({ status }, counts.find((each) => each.status === status)?.endpoints ?? 0);
    }
    for (const key of secretKeyStates) {
      liveSecrets.set({ key }, secrets.find((each) => each.key === key)?.secrets ?? 0);
    }
  };
}
