import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { createCursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import { openMessaging, openService, serveOperations, startOrgPurges } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import { createPromptQueue, isLockStalled } from './commands/prompt-lock.ts';
import { createSyncSlots } from './commands/sync-batches.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { purgePlan } from './db/purge.ts';
import { startConsuming } from './events/consumers.ts';
import { serveRpcs } from './events/serve-rpcs.ts';
import { createRoutes } from './http/routes.ts';
import { runMaintenance } from './maintenance.ts';
import { catalogMetrics } from './telemetry.ts';
import { createCommonWords } from './word-lists/common-words.ts';

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
  const rpcs = serveRpcs({ pool, nats, log, markets: config.MARKETS });
  lifecycle.onStop('request/reply', () => rpcs.stop());
  await startConsuming({ ...service, nats });
  startOrgPurges({ ...service, nats }, purgePlan);
  startMaintenance(pool, { log, lifecycle });
  const ctx: Context = {
    pool,
    nats,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS }),
    markets: new Set(config.MARKETS),
    metrics: catalogMetrics(metrics),
    commonWords: createCommonWords((error) =>
      log.error({ err: error }, 'word lists cannot be read; brands have no warnings'),
    ),
    promptQueue: createPromptQueue((brandId) => isLockStalled(pool, brandId)),
    syncSlots: createSyncSlots(config.DATABASE_POOL_SIZE),
    now,
  };
  const port = await serveOperations(service, createRoutes(ctx));
  lifecycle.setReady();
  log.info({ port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

const maintenanceIntervalMs = 60 * 60 * 1_000;

function startMaintenance(pool: Pool, { log, lifecycle }: Deps): void {
  const maintenance = startInterval(
    maintenanceIntervalMs,
    (stopping) => runMaintenance(pool, stopping),
    (error) => log.warn({ err: error }, 'maintenance failed'),
  );
  lifecycle.onStop('maintenance', () => maintenance.stop());
}
