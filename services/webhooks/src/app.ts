import { createCursorCodec } from '@bv/cursor';
import { connectNats, serveDeadEvents, startConsumer, startRelay } from '@bv/events';
import { createServiceApp, listen, pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { createPool, execute, type Pool } from '@bv/postgres';
import { createMetrics, type Logger, type Metrics, startMonitoring } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Clock, Context, ResolveHost } from './context.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { createResolver } from './dispatcher/resolve.ts';
import { createAddressPolicy } from './domain/address.ts';
import { dispatcherOptions } from './dispatcher/options.ts';
import { onBrandChanged } from './events/on-brand-changed.ts';
import { onLinkChanged } from './events/on-link-changed.ts';
import { onOrgChanged } from './events/on-org-changed.ts';
import { onPartnerChanged } from './events/on-partner-changed.ts';
import { onScanScored } from './events/on-scan-scored.ts';
import { routes } from './http/routes.ts';

const service = 'webhooks';
const rpcTimeoutMs = 2_000;
const pruneOperationsMs = 3_600_000;

export type Deps = {
  log: Logger;
  lifecycle: Lifecycle;
  now?: Clock;
  random?: () => number;
  resolveHost?: ResolveHost;
};

type Parts = Required<Deps> & { config: Config; pool: Pool; metrics: Metrics };

/** Puts the service together and starts its role; what it opens is closed by the lifecycle in reverse order. */
export async function createApp(
  config: Config,
  deps: Deps,
): Promise<{ port: number; monitoringPort: number }> {
  const { log, lifecycle } = deps;
  const metrics = createMetrics(service);
  const checks: (() => boolean)[] = [];
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
    ready: async () => lifecycle.ready() && checks.every((check) => check()) && isReachable(pool),
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  lifecycle.onStop('database', () => pool.end());
  const dns = { timeoutMs: config.WEBHOOKS_DNS_TIMEOUT_MS, servers: config.WEBHOOKS_DNS_SERVERS };
  const parts: Parts = {
    now: () => new Date(),
    random: Math.random,
    resolveHost: createResolver(dns),
    ...deps,
    config,
    pool,
    metrics,
  };
  if (config.ROLE !== 'api') {
    const dispatcher = startDispatcher(dispatcherOptions(parts));
    lifecycle.onStop('dispatcher', () => dispatcher.stop());
    checks.push(() => dispatcher.working());
  }
  const port = config.ROLE === 'dispatcher' ? 0 : await startApi(parts, checks);
  lifecycle.setReady();
  log.info({ role: config.ROLE, port, monitoringPort: monitoring.port }, 'ready');
  return { port, monitoringPort: monitoring.port };
}

async function startApi(parts: Parts, checks: (() => boolean)[]): Promise<number> {
  const { config, log, lifecycle, metrics, pool, now, resolveHost } = parts;
  const nats = await connectNats({ url: config.NATS_URL, name: service, log, signal: lifecycle.signal });
  lifecycle.onStop('nats', () => nats.close());
  checks.push(() => nats.isConnected());
  await startMessaging(parts, nats);
  const context: Context = {
    pool,
    nats,
    now,
    resolveHost,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS.map(({ id, key }) => ({ id: Number(id), key })) }),
    urlPolicy: urlPolicyOf(config),
    sealingKeys: config.WEBHOOKS_SECRET_KEYS,
    secretOverlapMs: config.WEBHOOKS_SECRET_OVERLAP_MS,
    rpcTimeoutMs,
  };
  const app = createServiceApp({
    service,
    routes: routes(context),
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
  });
  const address = { port: config.PORT, host: config.SERVICE_HOST };
  const server = await listen(app, { ...address, signal: lifecycle.signal });
  lifecycle.onStop('http', () => server.close());
  return server.port;
}

/** Consumers, and the relay: nothing is published here but redriven dead events. */
async function startMessaging(
  { pool, log, lifecycle, metrics, now }: Parts,
  nats: Context['nats'],
): Promise<void> {
  const common = { pool, nats, log, metrics, service };
  const relay = await startRelay(common);
  lifecycle.onStop('relay', () => relay.stop());
  const deadEvents = serveDeadEvents({ ...common, relay });
  lifecycle.onStop('dead events', () => deadEvents.stop());
  const consumers = await Promise.all([
    startConsumer({
      ...common,
      source: 'gateway',
      handlers: { 'gateway.partner.changed.v1': onPartnerChanged, 'gateway.link.changed.v1': onLinkChanged },
    }),
    startConsumer({
      ...common,
      source: 'catalog',
      handlers: { 'catalog.org.changed.v1': onOrgChanged, 'catalog.brand.changed.v1': onBrandChanged },
    }),
    startConsumer({
      ...common,
      source: 'results',
      handlers: { 'results.scan.scored.v1': (tx, envelope) => onScanScored(tx, envelope, now) },
    }),
  ]);
  for (const consumer of consumers) lifecycle.onStop(consumer.name, () => consumer.stop());
  const warn = (error: unknown): void => log.warn({ err: error }, 'old answers could not be pruned');
  const pruning = startInterval(pruneOperationsMs, () => pruneOperations(pool), warn);
  lifecycle.onStop('pruning', () => pruning.stop());
}

async function isReachable(pool: Pool): Promise<boolean> {
  await execute(pool, { name: 'ping-database', text: 'select', values: [] });
  return true;
}

function urlPolicyOf(config: Config) {
  return {
    addresses: createAddressPolicy(config.WEBHOOKS_ALLOW_CIDRS),
    allowHttp: config.WEBHOOKS_ALLOW_HTTP,
  };
}
