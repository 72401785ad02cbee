import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import type { Config } from '../config.ts';
import type { Clock, ResolveHost } from '../context.ts';
import { createAddressPolicy } from '../domain/address.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import { createDispatcherMetrics, type DispatcherMetrics } from './metrics.ts';

const dayMs = 86_400_000;
const breakerWindowMinAttempts = 10;

type Runtime = {
  config: Config;
  pool: Pool;
  log: Logger;
  metrics: Metrics;
  now: Clock;
  random: () => number;
  resolveHost: ResolveHost;
};

/** The configuration, grouped by part of the dispatcher. */
export function dispatcherOptions(runtime: Runtime): DispatcherOptions {
  const { config, pool, log, metrics, now, resolveHost } = runtime;
  const counters = createDispatcherMetrics(metrics);
  return {
    pool,
    now,
    log,
    metrics: counters,
    leasing: {
      pool,
      now,
      limits: { perEndpoint: config.WEBHOOKS_PER_ENDPOINT, perPartner: config.WEBHOOKS_PER_PARTNER },
      leaseMs: config.WEBHOOKS_LEASE_MS,
      recheckMs: config.WEBHOOKS_POLL_MS,
      encryptionKeys: config.WEBHOOKS_SECRET_KEYS,
      undecryptableRecheckMs: config.WEBHOOKS_RECLAIM_MS,
      dispatcher: `${hostname()} ${randomUUID().slice(0, 8)}`,
    },
    outcomes: toOutcomeDeps(runtime, counters),
    sending: {
      urlPolicy: {
        addresses: createAddressPolicy(config.WEBHOOKS_ALLOW_CIDRS),
        allowHttp: config.WEBHOOKS_ALLOW_HTTP,
      },
      resolveHost,
      limits: {
        connectTimeoutMs: config.WEBHOOKS_CONNECT_TIMEOUT_MS,
        totalTimeoutMs: config.WEBHOOKS_TOTAL_TIMEOUT_MS,
        responseMaxBytes: config.WEBHOOKS_RESPONSE_MAX_BYTES,
      },
      ca: config.WEBHOOKS_EXTRA_CA,
    },
    concurrency: config.WEBHOOKS_PER_PROCESS,
    pollMs: config.WEBHOOKS_POLL_MS,
    reclaimMs: config.WEBHOOKS_RECLAIM_MS,
    retentionMs: config.WEBHOOKS_RETENTION_DAYS * dayMs,
    pruneMs: config.WEBHOOKS_PRUNE_MS,
    stopGraceMs: config.WEBHOOKS_STOP_GRACE_MS,
  };
}

function toOutcomeDeps(
  { config, pool, now, random }: Runtime,
  metrics: DispatcherMetrics,
): DispatcherOptions['outcomes'] {
  return {
    metrics,
    pool,
    now,
    random,
    schedule: {
      delaysMs: config.WEBHOOKS_SCHEDULE_MS,
      jitter: config.WEBHOOKS_JITTER_PERCENT / 100,
      retryAfterMaxMs: config.WEBHOOKS_RETRY_AFTER_MAX_MS,
    },
    endpointRules: {
      failingAfterMs: config.WEBHOOKS_FAILING_AFTER_MS,
      failingMinFailures: config.WEBHOOKS_FAILING_MIN_FAILURES,
      breaker: {
        consecutiveFailures: config.WEBHOOKS_BREAKER_FAILURES,
        windowMs: config.WEBHOOKS_BREAKER_WINDOW_MS,
        windowMinAttempts: breakerWindowMinAttempts,
        windowFailureShare: config.WEBHOOKS_BREAKER_SHARE_PERCENT / 100,
        openMs: config.WEBHOOKS_BREAKER_OPEN_MS,
        openMaxMs: config.WEBHOOKS_BREAKER_OPEN_MAX_MS,
      },
    },
  };
}
