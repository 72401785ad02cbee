import { createCursorCodec } from '@bv/cursor';
import { type Nats, startConsumer } from '@bv/events';
import { pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { openMessaging, openService, type OpenService, serveOperations } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import { startBacklogMetrics } from './backlog-metrics.ts';
import type { Config } from './config.ts';
import type { Clock, Context, ResolveHost } from './context.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { createResolver } from './dispatcher/resolve.ts';
import { createAddressPolicy } from './domain/address.ts';
import { dispatcherOptions } from './dispatcher/options.ts';
import { onBrandChanged, onOrgChanged } from './events/on-catalog-changes.ts';
import { onLinkChanged, onPartnerChanged } from './events/on-gateway-changes.ts';
import { onScanScored } from './events/on-scan-scored.ts';
import { createRoutes } from './http/routes.ts';

const rpcTimeoutMs = 2_000;
const pruneOperationsMs = 3_600_000;

export type Deps = {
  log: Logger;
  lifecycle: Lifecycle;
  now?: Clock;
  random?: () => number;
  resolveHost?: ResolveHost;
};

type Runtime = Required<Deps> & OpenService & { config: Config };

/** Creates the service and starts its role. The lifecycle stops the parts in reverse order. */
export async function createApp(
  config: Config,
  deps: Deps,
): Promise<{ port: number; monitoringPort: number }> {
  const { log, lifecycle } = deps;
  const service = await openService({ service: 'webhooks', config, log, lifecycle });
  const { monitoringPort } = service;
  const dns = { timeoutMs: config.WEBHOOKS_DNS_TIMEOUT_MS, servers: config.WEBHOOKS_DNS_SERVERS };
  const runtime: Runtime = {
    now: () => new Date(),
    random: Math.random,
    resolveHost: createResolver(dns),
    ...deps,
    ...service,
    config,
  };
  const encryptionKeyIds = config.WEBHOOKS_SECRET_KEYS.map(({ id }) => id);
  const backlogMetrics = startBacklogMetrics({
    ...runtime,
    encryptionKeyIds,
    everyMs: config.WEBHOOKS_MEASURE_MS,
  });
  lifecycle.onStop('backlog metrics', () => backlogMetrics.stop());
  if (config.ROLE !== 'api') {
    const dispatcher = startDispatcher(dispatcherOptions(runtime));
    lifecycle.onStop('dispatcher', () => dispatcher.stop());
    service.readyWhen(() => dispatcher.isWorking());
  }
  const port = config.ROLE === 'dispatcher' ? 0 : await startApi(runtime);
  lifecycle.setReady();
  log.info({ role: config.ROLE, port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

async function startApi(runtime: Runtime): Promise<number> {
  const { config, pool, now, resolveHost } = runtime;
  const nats = await openMessaging(runtime);
  await startConsumers({ ...runtime, nats });
  const ctx: Context = {
    pool,
    nats,
    now,
    resolveHost,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS }),
    urlPolicy: toUrlPolicy(config),
    encryptionKeys: config.WEBHOOKS_SECRET_KEYS,
    secretOverlapMs: config.WEBHOOKS_SECRET_OVERLAP_MS,
    rpcTimeoutMs,
  };
  return serveOperations(runtime, createRoutes(ctx));
}

async function startConsumers(common: Runtime & { nats: Nats }): Promise<void> {
  const { pool, log, lifecycle, now } = common;
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
  const warn = (error: unknown): void => log.warn({ err: error }, 'recorded responses could not be pruned');
  const pruning = startInterval(pruneOperationsMs, (stopping) => pruneOperations(pool, stopping), warn);
  lifecycle.onStop('pruning', () => pruning.stop());
}

function toUrlPolicy(config: Config) {
  return {
    addresses: createAddressPolicy(config.WEBHOOKS_ALLOW_CIDRS),
    allowHttp: config.WEBHOOKS_ALLOW_HTTP,
  };
}
