import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Queue } from '@bv/contract';
import {
  brandChanged,
  linkChanged,
  maxCounted,
  type Nats,
  orgChanged,
  partnerChanged,
  experimentCompleted,
  scanScored,
  startConsumer,
} from '@bv/events';
import type { Lifecycle } from '@bv/lifecycle';
import { createCursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import { openMessaging, openService, type OpenService, serveOperations, startOrgPurges } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Clock, CommonContext, Context, ResolveHost } from './context.ts';
import type { DispatcherContext } from './dispatcher/dispatcher-context.ts';
import { getBacklog } from './db/maintenance.ts';
import { createConnections } from './dispatcher/connections.ts';
import { startDispatcher } from './dispatcher/dispatcher.ts';
import { createResolver } from './dispatcher/resolve.ts';
import { createAddressPolicy } from './domain/address.ts';
import { createSecretCipher, createSigningKeys } from './domain/secrets.ts';
import { onBrandChanged, onOrgChanged } from './events/on-catalog-changes.ts';
import { onLinkChanged, onPartnerChanged } from './events/on-gateway-changes.ts';
import { onExperimentCompleted } from './events/on-experiment-completed.ts';
import { onScanScored } from './events/on-scan-scored.ts';
import { createRoutes } from './http/routes.ts';
import { purgePlan } from './db/purge.ts';
import { startBacklogMetrics, startDispatcherJobs, startPruningOperations } from './maintenance.ts';
import { dispatcherMetrics } from './telemetry.ts';

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: Clock; resolveHost?: ResolveHost };
export type App = { port: number; monitoringPort: number };

type Parts = OpenService & CommonContext;

/** Creates the service and starts its role. The lifecycle stops the parts in reverse order. */
export async function createApp(config: Config, deps: Deps): Promise<App> {
  const { log, lifecycle, now = () => new Date() } = deps;
  const service = await openService({ service: 'webhooks', config, log, lifecycle });
  const { monitoringPort } = service;
  const dns = { timeoutMs: config.WEBHOOKS_DNS_TIMEOUT_MS, servers: config.WEBHOOKS_DNS_SERVERS };
  const parts: Parts = {
    ...service,
    config,
    now,
    resolveHost: deps.resolveHost ?? createResolver(dns),
    urlPolicy: {
      addresses: createAddressPolicy(config.WEBHOOKS_ALLOW_CIDRS),
      allowHttp: config.WEBHOOKS_ALLOW_HTTP,
    },
    secretCipher: createSecretCipher(config.WEBHOOKS_SECRET_KEYS),
  };
  startBacklogMetrics(parts);
  if (config.ROLE !== 'api') startDispatching(parts);
  const port = config.ROLE === 'dispatcher' ? 0 : await startApi(parts);
  lifecycle.setReady();
  log.info({ role: config.ROLE, port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

function startDispatching(parts: Parts): void {
  const { lifecycle } = parts;
  const dispatcherName = `${hostname()} ${randomUUID().slice(0, 8)}`;
  const metrics = dispatcherMetrics(parts.metrics);
  const connections = createConnections({ ...parts, metrics });
  const signingKeys = createSigningKeys(parts.secretCipher);
  const ctx: DispatcherContext = { ...parts, metrics, connections, signingKeys, dispatcherName };
  const jobs = startDispatcherJobs(ctx, lifecycle);
  const dispatcher = startDispatcher(ctx);
  lifecycle.onStop('dispatcher', async () => {
    await dispatcher.stop();
    connections.close();
    await jobs.stop();
  });
  parts.readyWhen(() => dispatcher.isWorking());
}

async function startApi(parts: Parts): Promise<number> {
  const { pool, now } = parts;
  const nats = await openMessaging(parts, () => listQueues(pool, now()));
  await startConsumers({ ...parts, nats });
  startOrgPurges({ ...parts, nats }, purgePlan);
  startPruningOperations(parts);
  const cursors = createCursorCodec({ keys: parts.config.CURSOR_KEYS });
  const ctx: Context = { ...parts, nats, cursors };
  return serveOperations(parts, createRoutes(ctx));
}

/** Backlogs that the status of the operator API shows. */
async function listQueues(pool: Pool, at: Date): Promise<Queue[]> {
  const { pending: waiting, lease_lag_seconds: lag } = await getBacklog(pool, at, maxCounted);
  return [{ name: 'deliveries', waiting, oldest_seconds: waiting === 0 ? null : lag }];
}

async function startConsumers(parts: Parts & { nats: Nats }): Promise<void> {
  const consumers = await Promise.all([
    startConsumer({
      ...parts,
      source: 'gateway',
      handlers: { [partnerChanged.type]: onPartnerChanged, [linkChanged.type]: onLinkChanged },
    }),
    startConsumer({
      ...parts,
      source: 'catalog',
      handlers: { [orgChanged.type]: onOrgChanged, [brandChanged.type]: onBrandChanged },
    }),
    startConsumer({
      ...parts,
      source: 'results',
      handlers: {
        [scanScored.type]: (tx, envelope) => onScanScored(tx, envelope, parts.now),
        [experimentCompleted.type]: (tx, envelope) => onExperimentCompleted(tx, envelope, parts.now),
      },
    }),
  ]);
  for (const consumer of consumers) parts.lifecycle.onStop(consumer.name, () => consumer.stop());
}
