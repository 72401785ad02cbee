import { setTimeout as sleep } from 'node:timers/promises';
import { createCursorCodec } from '@bv/cursor';
import {
  allowanceChanged,
  connectNats,
  flushOutbox,
  type Nats,
  type Relay,
  resultsBrandChanged,
  serveDeadEvents,
  startConsumer,
  startRelay,
} from '@bv/events';
import { createServiceApp, listen } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import { createPool, isUnavailable, one, type Pool } from '@bv/postgres';
import { createMetrics, type Logger, type Metrics, startMonitoring } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onAllowanceChanged } from './events/on-allowance-changed.ts';
import { onResultsBrandChanged } from './events/on-results-brand-changed.ts';
import { serveRpcs } from './events/serve-rpcs.ts';
import { createRoutes } from './http/routes.ts';
import { catalogMetrics } from './telemetry.ts';
import { startUpkeep } from './upkeep.ts';

const service = 'catalog';
const flushTimeoutMs = 5_000;
const databaseWaitMs = 120_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

/** Puts the service together and starts it; what it opens is closed by the lifecycle in reverse order. */
export async function createApp(
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
  const relay = await startMessaging({ pool, nats, log, metrics }, lifecycle);
  const server = await startServing(config, { pool, log, metrics, relay, now }, lifecycle);
  const upkeep = startUpkeep(pool, log);
  lifecycle.onStop('upkeep', () => upkeep.stop());
  lifecycle.setReady();
  log.info({ port: server.port, monitoringPort: monitoring.port }, 'ready');
  return { port: server.port, monitoringPort: monitoring.port };
}

type Messaging = { pool: Pool; nats: Nats; log: Logger; metrics: Metrics };

/** The outbox relay, what other services ask over NATS, and the projections of what they say. */
async function startMessaging(deps: Messaging, lifecycle: Lifecycle): Promise<Relay> {
  const common = { ...deps, service };
  const relay = await startRelay(common);
  lifecycle.onStop('relay', () => relay.stop());
  const servers = [serveDeadEvents({ ...common, relay }), serveRpcs(deps)];
  for (const server of servers) lifecycle.onStop('request/reply', () => server.stop());
  const consumers = await Promise.all([
    startConsumer({ ...common, source: 'scans', handlers: { [allowanceChanged.type]: onAllowanceChanged } }),
    startConsumer({
      ...common,
      source: 'results',
      handlers: { [resultsBrandChanged.type]: onResultsBrandChanged },
    }),
  ]);
  for (const consumer of consumers) lifecycle.onStop(consumer.name, () => consumer.stop());
  return relay;
}

type Serving = Omit<Messaging, 'nats'> & { relay: Relay; now: () => Date };

async function startServing(config: Config, deps: Serving, lifecycle: Lifecycle) {
  const { pool, log, metrics, relay, now } = deps;
  const context: Context = {
    pool,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS }),
    markets: new Set(config.MARKETS),
    metrics: catalogMetrics(metrics),
    now,
  };
  const app = createServiceApp({
    service,
    routes: createRoutes(context, () => relay.kick()),
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
    flushEvents: (ids) => flushOutbox({ pool, ids, timeoutMs: flushTimeoutMs }),
  });
  const { PORT: port, SERVICE_HOST: host } = config;
  const server = await listen(app, { port, host, signal: lifecycle.signal });
  lifecycle.onStop('http', () => server.close());
  return server;
}

async function answers(pool: Pool): Promise<boolean> {
  await one(pool, { name: 'catalog.ready', text: 'select 1', values: [] });
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
