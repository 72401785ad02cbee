import { createCursorCodec } from '@bv/cursor';
import {
  connectNats,
  flushOutbox,
  serveDeadEvents,
  startConsumer,
  startRelay,
  unitFinalised,
} from '@bv/events';
import { createServiceApp, listen } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import { createPool, type Pool } from '@bv/postgres';
import { createMetrics, type Logger, startMonitoring } from '@bv/telemetry';
import { scoreUnscoredDays } from './commands/score-unscored-days.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onBrandChanged } from './events/on-brand-changed.ts';
import { onJobChanged } from './events/on-job-changed.ts';
import { onPromptChanged } from './events/on-prompt-changed.ts';
import { onUnitsFinalised } from './events/on-units-finalised.ts';
import { routes } from './http/routes.ts';

const SERVICE = 'results';
const FLUSH_TIMEOUT_MS = 5_000;

type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
type Messaging = {
  pool: Pool;
  nats: Context['nats'];
  log: Logger;
  metrics: ReturnType<typeof createMetrics>;
};

/** Starts the outbox relay, the consumers and what the operator's plane asks over NATS. */
async function startMessaging(deps: Messaging, lifecycle: Lifecycle) {
  const relay = await startRelay({ ...deps, service: SERVICE });
  lifecycle.onStop('relay', () => relay.stop());
  const common = { ...deps, service: SERVICE, relay };
  const deadEvents = serveDeadEvents(common);
  lifecycle.onStop('dead events', () => deadEvents.stop());
  const catalog = await startConsumer({
    ...common,
    source: 'catalog',
    handlers: { 'catalog.brand.changed.v1': onBrandChanged, 'catalog.prompt.changed.v1': onPromptChanged },
  });
  lifecycle.onStop('catalog consumer', () => catalog.stop());
  const scans = await startConsumer({
    ...common,
    source: 'scans',
    handlers: { 'scans.job.changed.v1': onJobChanged(deps.nats) },
    batch: { type: unitFinalised.type, size: 100, maxWaitMs: 50, handler: onUnitsFinalised(deps.nats) },
  });
  lifecycle.onStop('scans consumer', () => scans.stop());
}

/** Puts the service together and starts it; what it opens is closed by the lifecycle in reverse order. */
export async function startApp(config: Config, { log, lifecycle, now = () => new Date() }: Deps) {
  const metrics = createMetrics(SERVICE);
  const monitoring = await startMonitoring({
    port: config.MONITORING_PORT,
    host: config.SERVICE_HOST,
    registry: metrics.registry,
    ready: () => lifecycle.ready(),
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  const pool = createPool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    applicationName: SERVICE,
    log,
    metrics,
  });
  lifecycle.onStop('database', () => pool.end());
  const nats = await connectNats({ url: config.NATS_URL, name: SERVICE, log, signal: lifecycle.signal });
  lifecycle.onStop('nats', () => nats.close());
  await startMessaging({ pool, nats, log, metrics }, lifecycle);
  const ctx: Context = { pool, nats, cursors: createCursorCodec({ keys: config.CURSOR_KEYS }), now };
  const app = createServiceApp({
    service: SERVICE,
    routes: routes(ctx),
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
    flushEvents: (ids) => flushOutbox({ pool, ids: [...ids], timeoutMs: FLUSH_TIMEOUT_MS }),
  });
  const server = await listen(app, {
    port: config.PORT,
    host: config.SERVICE_HOST,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('http', () => server.close());
  lifecycle.setReady();
  // Of an import whose process ended.
  const leftDays = scoreUnscoredDays(pool, lifecycle.signal).catch((error: unknown) =>
    log.warn({ err: error }, 'days of an earlier import are not scored yet'),
  );
  lifecycle.onStop('unscored days', () => leftDays);
  log.info({ port: server.port, monitoringPort: monitoring.port }, 'ready');
  return { port: server.port, monitoringPort: monitoring.port };
}
