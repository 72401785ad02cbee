import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectNats,
  flushOutbox,
  type Nats,
  type PurgePlan,
  serveDeadLetterEvents,
  servePurges,
  serveStatus,
  startPurges,
  startRelay,
} from '@bv/events';
import type { Queue, ServiceName } from '@bv/contract';
import { createServiceApp, listen, type Route } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import { checkWritable, createPool, isUnavailable, type Pool } from '@bv/postgres';
import { backoffMs } from '@bv/resilience';
import { createMetrics, type Logger, type Metrics, startMonitoring } from '@bv/telemetry';
import { natsOptions, type ServiceConfig } from './fields.ts';

const flushTimeoutMs = 5_000;
const databaseWaitMs = 120_000;

type Start = { service: ServiceName; config: ServiceConfig; log: Logger; lifecycle: Lifecycle };

/** The resources that the parts of a service share. Consumers and the relay take this object. */
export type OpenService = Start & {
  metrics: Metrics;
  pool: Pool;
  monitoringPort: number;
  /** Adds a condition of readiness. */
  readyWhen(check: () => boolean): void;
};

/** Starts the probes and waits for the database. The lifecycle closes everything that is opened, in reverse order. */
export async function openService(start: Start): Promise<OpenService> {
  const { service, config, log, lifecycle } = start;
  const metrics = createMetrics(service);
  const pool = createPool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    applicationName: service,
    log,
    metrics,
  });
  const checks: (() => boolean)[] = [];
  const monitoring = await startMonitoring({
    port: config.MONITORING_PORT,
    host: config.SERVICE_HOST,
    registry: metrics.registry,
    ready: async () => {
      if (!lifecycle.ready() || !checks.every((check) => check())) return false;
      await checkWritable(pool);
      return true;
    },
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  lifecycle.onStop('database', () => pool.end());
  await waitForDatabase(pool, log, lifecycle.signal);
  return {
    ...start,
    metrics,
    pool,
    monitoringPort: monitoring.port,
    readyWhen: (check) => checks.push(check),
  };
}

/**
 * Connects to NATS, starts the relay of the outbox and serves requests for dead-letter events and for the status.
 * `queues` reads the backlogs of the service.
 */
export async function openMessaging(open: OpenService, queues?: () => Promise<Queue[]>): Promise<Nats> {
  const { service, config, log, lifecycle } = open;
  const nats = await connectNats({
    ...natsOptions(config),
    name: service,
    log,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('nats', () => nats.close());
  const relay = await startRelay({ ...open, nats });
  lifecycle.onStop('relay', () => relay.stop());
  const deadLetterEvents = serveDeadLetterEvents({ ...open, nats });
  lifecycle.onStop('dead-letter events', () => deadLetterEvents.stop());
  const status = serveStatus({ ...open, nats, queues });
  lifecycle.onStop('status', () => status.stop());
  return nats;
}

/** Deletes the data of organisations whose purge is requested, and serves the report on it. */
export function startOrgPurges(open: OpenService & { nats: Nats }, plan: PurgePlan): void {
  const purges = startPurges({ ...open, plan });
  open.lifecycle.onStop('purges', () => purges.stop());
  const report = servePurges({ ...open, plan });
  open.lifecycle.onStop('report on purges', () => report.stop());
}

/** Serves the operations, as the last step of a start. Returns the port. */
export async function serveOperations(open: OpenService, routes: readonly Route[]): Promise<number> {
  const { service, config, log, lifecycle, metrics, pool } = open;
  const app = createServiceApp({
    service,
    routes,
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
    flushEvents: (ids) => flushOutbox({ pool, ids: [...ids], timeoutMs: flushTimeoutMs }),
  });
  const { PORT: port, SERVICE_HOST: host } = config;
  const server = await listen(app, { port, host, signal: lifecycle.signal });
  lifecycle.onStop('http', () => server.close());
  return server.port;
}

/** Waits, not ready, for a database that starts later than the service. A crash loop would be the alternative. */
export async function waitForDatabase(pool: Pool, log: Logger, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + databaseWaitMs;
  let reason: string | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await checkWritable(pool);
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > deadline) throw error;
      const { code, message } = error as { code?: string; message?: string };
      const current = code ?? message;
      if (current !== reason) log.warn({ err: error }, 'the database is not available yet; trying again');
      reason = current;
      await sleep(backoffMs({ baseMs: 100, maxMs: 2_000 }, attempt), undefined, { signal });
    }
  }
}
