import { setTimeout as sleep } from 'node:timers/promises';
import { platformIds } from '@bv/contract';
import {
  brandChanged,
  connectNats,
  flushOutbox,
  type Nats,
  orgChanged,
  type Relay,
  serveDeadEvents,
  startConsumer,
  startRelay,
} from '@bv/events';
import { createServiceApp, listen } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { createPool, isUnavailable, one, type Pool } from '@bv/postgres';
import { createMetrics, type Logger, type Metrics, startMonitoring } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { countQueue } from './db/units.ts';
import { onBrandChanged } from './events/on-brand-changed.ts';
import { onOrgChanged } from './events/on-org-changed.ts';
import { routes } from './http/routes.ts';
import { platformConfigs, platformLanes } from './platform-config.ts';
import { createAdapters } from './platforms/create-adapters.ts';
import { createPlatformHttp } from './platforms/platform-http.ts';
import { runSchedule } from './schedule/run-schedule.ts';
import { scanMetrics } from './telemetry.ts';
import { upkeep } from './upkeep.ts';
import { startWorker, type Worker } from './worker/worker.ts';

const service = 'scans';
const flushTimeoutMs = 5_000;
const databaseWaitMs = 120_000;
const queueGaugeMs = 10_000;
const upkeepMs = 60 * 60 * 1_000;
const retryMaxMs = 60_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

type Parts = { pool: Pool; nats: Nats; log: Logger; metrics: Metrics; now: () => Date; lifecycle: Lifecycle };

/** Puts the service together and starts it; what it opens is closed by the lifecycle in reverse order. */
export async function startApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const metrics = createMetrics(service);
  const pool = createPool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    applicationName: service,
    log,
    metrics,
  });
  const monitoring = await startMonitoring({
    port: config.MONITORING_PORT,
    host: config.SERVICE_HOST,
    registry: metrics.registry,
    ready: async () => lifecycle.ready() && (await answers(pool)),
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  lifecycle.onStop('database', () => pool.end());
  await waitForDatabase(pool, log, lifecycle.signal);
  const nats = await connectNats({ url: config.NATS_URL, name: service, log, signal: lifecycle.signal });
  lifecycle.onStop('nats', () => nats.close());
  const parts: Parts = { pool, nats, log, metrics, now, lifecycle };
  const relay = await startMessaging(parts);
  const worker = await startWork(config, parts);
  const ctx: Context = {
    pool,
    nats,
    now,
    onQueued: () => {
      relay.kick();
      worker?.wake();
    },
  };
  startUpkeep(config, parts, ctx);
  const server = await startServing(config, parts, ctx);
  lifecycle.setReady();
  log.info({ port: server.port, monitoringPort: monitoring.port }, 'ready');
  return { port: server.port, monitoringPort: monitoring.port };
}

/** The outbox relay, catalog's events and what the operator's plane asks over NATS. */
async function startMessaging({ lifecycle, now, ...deps }: Parts): Promise<Relay> {
  const common = { ...deps, service };
  const relay = await startRelay(common);
  lifecycle.onStop('relay', () => relay.stop());
  const deadEvents = serveDeadEvents({ ...common, relay });
  lifecycle.onStop('dead events', () => deadEvents.stop());
  const consumer = await startConsumer({
    ...common,
    source: 'catalog',
    handlers: { [orgChanged.type]: onOrgChanged(now), [brandChanged.type]: onBrandChanged },
  });
  lifecycle.onStop('catalog consumer', () => consumer.stop());
  return relay;
}

/** The worker with its platforms; none where this process is to work on nothing. */
async function startWork(
  config: Config,
  { pool, log, metrics, lifecycle }: Parts,
): Promise<Worker | undefined> {
  if (config.WORKER_CONCURRENCY === 0) return undefined;
  const configs = platformConfigs(config);
  const unkeyed = platformIds.filter((id) => configs[id].apiKey === null);
  if (unkeyed.length > 0) log.warn({ platforms: unkeyed }, 'no key: units of these platforms will fail');
  const http = createPlatformHttp({
    timeoutMs: config.UNIT_TIMEOUT_MS,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
  });
  lifecycle.onStop('platform connections', () => http.close());
  const { UNIT_MAX_ATTEMPTS: maxAttempts, RETRY_BASE_MS: baseMs } = config;
  const worker = await startWorker({
    pool,
    adapters: createAdapters(configs, http),
    retry: { maxAttempts, baseMs, maxMs: retryMaxMs },
    leaseMs: config.UNIT_LEASE_MS,
    lanes: platformLanes(config),
    concurrency: config.WORKER_CONCURRENCY,
    metrics: scanMetrics(metrics),
    log,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('worker', () => worker.stop());
  return worker;
}

/** What runs by the clock: the daily schedule, the queue's gauges, and forgetting. */
function startUpkeep(config: Config, { pool, log, metrics, lifecycle, now }: Parts, ctx: Context): void {
  const meters = scanMetrics(metrics);
  const failed = (name: string) => (error: unknown) =>
    log.warn({ err: error }, `${name} failed; trying again`);
  const intervals = [
    startInterval(queueGaugeMs, async () => meters.queue(await countQueue(pool)), failed('queue gauges')),
    startInterval(upkeepMs, () => upkeep(pool, now()), failed('upkeep')),
  ];
  if (config.SCHEDULE_INTERVAL_MS > 0) {
    const deps = { ctx, metrics: meters, log, signal: lifecycle.signal };
    intervals.push(
      startInterval(config.SCHEDULE_INTERVAL_MS, () => runSchedule(deps), failed('daily schedule')),
    );
  }
  for (const interval of intervals) lifecycle.onStop('interval', () => interval.stop());
}

async function startServing(config: Config, { pool, log, metrics, lifecycle }: Parts, ctx: Context) {
  const app = createServiceApp({
    service,
    routes: routes(ctx),
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
    flushEvents: (ids) => flushOutbox({ pool, ids: [...ids], timeoutMs: flushTimeoutMs }),
  });
  const { PORT: port, SERVICE_HOST: host } = config;
  const server = await listen(app, { port, host, signal: lifecycle.signal });
  lifecycle.onStop('http', () => server.close());
  return server;
}

async function answers(pool: Pool): Promise<boolean> {
  await one(pool, { name: 'scans.ready', text: 'select 1', values: [] });
  return true;
}

/** A database that comes later than the service is waited for, with readiness off, instead of a crash loop. */
async function waitForDatabase(pool: Pool, log: Logger, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + databaseWaitMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await answers(pool);
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > deadline) throw error;
      if (attempt === 0) log.warn({ err: error }, 'the database cannot be reached yet; trying on');
      await sleep(Math.min(2_000, 100 * 2 ** attempt), undefined, { signal });
    }
  }
}
