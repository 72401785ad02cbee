import { EndpointStatus } from '@bv/contract';
import { startInterval } from '@bv/lifecycle';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { Clock } from './context.ts';
import { type Backlog, type EndpointCount, getBacklog, listEndpointCounts } from './db/backlog.ts';
import { listSecretCounts, type SecretCount, secretKeyStates } from './db/endpoint-secrets.ts';

const backlogCap = 100_000;

type Measuring = {
  pool: Pool;
  log: Logger;
  metrics: Metrics;
  now: Clock;
  encryptionKeyIds: readonly string[];
  everyMs: number;
};

/** Tells the metrics what waits. In every role: were it the dispatchers' alone, nobody would see that none is left. */
export function startMeasuring({
  pool,
  log,
  metrics,
  now,
  encryptionKeyIds,
  everyMs,
}: Measuring): ReturnType<typeof startInterval> {
  const tell = backlogMetrics(metrics);
  const measure = async (): Promise<void> => {
    const at = now();
    tell({
      backlog: await getBacklog(pool, at, backlogCap),
      endpoints: await listEndpointCounts(pool),
      secrets: await listSecretCounts(pool, encryptionKeyIds, at),
    });
  };
  return startInterval(everyMs, measure, (error) => log.warn({ err: error }, 'backlog cannot be measured'));
}

type Measured = {
  backlog: Backlog;
  endpoints: readonly EndpointCount[];
  secrets: readonly SecretCount[];
};

/** Every process tells the same of the whole database: take the maximum, not the sum. */
function backlogMetrics(metrics: Metrics): (measured: Measured) => void {
  const lag = metrics.gauge({
    name: 'bv_webhooks_lease_lag_seconds',
    help: 'How long the longest waiting endpoint has waited for a dispatcher; grows when none keeps up.',
  });
  const deliveries = metrics.gauge({
    name: 'bv_webhooks_deliveries',
    help: 'Deliveries that are not over, by status; counted up to 100,000 each.',
    labelNames: ['status'],
  });
  const endpoints = metrics.gauge({
    name: 'bv_webhooks_endpoints',
    help: 'Endpoints by status.',
    labelNames: ['status'],
  });
  const breakers = metrics.gauge({
    name: 'bv_webhooks_circuit_breakers_open',
    help: 'Endpoints whose deliveries are held because their receiver is down.',
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
