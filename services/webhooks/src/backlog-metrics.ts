import { EndpointStatus } from '@bv/contract';
import { startInterval } from '@bv/lifecycle';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { Clock } from './context.ts';
import { type Backlog, type EndpointCount, getBacklog, listEndpointCounts } from './db/backlog.ts';
import { listSecretCounts, type SecretCount, secretKeyStates } from './db/endpoint-secrets.ts';

/** Larger backlogs are reported as this number, so that counting stays cheap. */
const maxCounted = 100_000;

type BacklogMetricsOptions = {
  pool: Pool;
  log: Logger;
  metrics: Metrics;
  now: Clock;
  encryptionKeyIds: readonly string[];
  everyMs: number;
};

/** Reports the backlog at intervals. Every role reports it, so that it is visible when no dispatcher is left. */
export function startBacklogMetrics({
  pool,
  log,
  metrics,
  now,
  encryptionKeyIds,
  everyMs,
}: BacklogMetricsOptions): ReturnType<typeof startInterval> {
  const report = createReporter(metrics);
  const measure = async (): Promise<void> => {
    const at = now();
    report({
      backlog: await getBacklog(pool, at, maxCounted),
      endpoints: await listEndpointCounts(pool),
      secrets: await listSecretCounts(pool, encryptionKeyIds, at),
    });
  };
  return startInterval(everyMs, measure, (error) =>
    log.warn({ err: error }, 'backlog could not be measured'),
  );
}

type BacklogSample = {
  backlog: Backlog;
  endpoints: readonly EndpointCount[];
  secrets: readonly SecretCount[];
};

/** Every process reports the values of the whole database: aggregate them with max, not sum. */
function createReporter(metrics: Metrics): (sample: BacklogSample) => void {
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
