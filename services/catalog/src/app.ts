import { createCursorCodec } from '@bv/cursor';
import { allowanceChanged, resultsBrandChanged, startConsumer } from '@bv/events';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { openMessaging, openService, type OpenService, serveOperations } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import { createPromptWriteQueue } from './commands/prompt-write-queue.ts';
import { createSyncSlots } from './commands/sync-steps.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onAllowanceChanged } from './events/on-allowance-changed.ts';
import { onResultsBrandChanged } from './events/on-results-brand-changed.ts';
import { serveRpcs } from './events/serve-rpcs.ts';
import { createRoutes } from './http/routes.ts';
import { catalogMetrics } from './telemetry.ts';
import { runMaintenance } from './maintenance.ts';

const maintenanceIntervalMs = 60 * 60 * 1_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

/** Creates and starts the service. The lifecycle closes its resources in reverse order. */
export async function createApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const service = await openService({ service: 'catalog', config, log, lifecycle });
  const { pool, metrics, monitoringPort } = service;
  const nats = await openMessaging(service);
  await startMessageHandlers({ ...service, nats, markets: config.MARKETS });
  const context: Context = {
    pool,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS }),
    markets: new Set(config.MARKETS),
    metrics: catalogMetrics(metrics),
    promptWrites: createPromptWriteQueue(),
    syncSlots: createSyncSlots(config.DATABASE_POOL_SIZE),
    now,
  };
  const logFailure = (error: unknown): void => log.warn({ err: error }, 'maintenance failed');
  const maintenance = startInterval(
    maintenanceIntervalMs,
    (stopping) => runMaintenance(pool, stopping),
    logFailure,
  );
  lifecycle.onStop('maintenance', () => maintenance.stop());
  const port = await serveOperations(service, createRoutes(context));
  lifecycle.setReady();
  log.info({ port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

/** Serves the RPCs of other services over NATS and starts the consumers of their events. */
async function startMessageHandlers(deps: OpenService & Parameters<typeof serveRpcs>[0]): Promise<void> {
  const rpcs = serveRpcs(deps);
  deps.lifecycle.onStop('request/reply', () => rpcs.stop());
  const consumers = await Promise.all([
    startConsumer({ ...deps, source: 'scans', handlers: { [allowanceChanged.type]: onAllowanceChanged } }),
    startConsumer({
      ...deps,
      source: 'results',
      handlers: { [resultsBrandChanged.type]: onResultsBrandChanged },
    }),
  ]);
  for (const consumer of consumers) deps.lifecycle.onStop(consumer.name, () => consumer.stop());
}
