import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '@bv/contract';
import { maxCounted, type Nats, startConsumer, unitFinalised } from '@bv/events';
import type { Lifecycle } from '@bv/lifecycle';
import { createCursorCodec } from '@bv/pagination';
import type { Pool } from '@bv/postgres';
import { openMessaging, openService, type OpenService, serveOperations, startOrgPurges } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import { scoreUnscoredDays } from './commands/import-units.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onBrandChanged, onOrgChanged, onPromptChanged } from './events/on-catalog-changes.ts';
import { backfillBrands, onJobChanged, onUnitsFinalised } from './events/on-scan-changes.ts';
import { purgePlan } from './db/purge.ts';
import { countReprocessJobs } from './db/reprocess-leases.ts';
import { countRetentionBacklog } from './db/retention.ts';
import { servePlatformDrift } from './events/serve-rpcs.ts';
import { createRoutes } from './http/routes.ts';
import { startDailyJobs, startDriftJob, startPeriodicJobs, startRetention } from './maintenance.ts';
import { driftMetrics, type ReprocessMetrics, reprocessMetrics, retentionMetrics } from './telemetry.ts';
import { createReader } from './worker/reader.ts';
import { type ReprocessWorker, startReprocessWorker } from './worker/reprocess-worker.ts';

/** Less than the timeout of a status. */
const maxCountMs = 1_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

/** Creates and starts the service. The lifecycle closes its resources in reverse order. */
export async function createApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const service = await openService({ service: 'results', config, log, lifecycle });
  const { pool, monitoringPort } = service;
  const nats = await openMessaging(service, () => listQueues(pool));
  await startConsumers({ ...service, nats });
  startOrgPurges({ ...service, nats }, purgePlan);
  const metrics = reprocessMetrics(service.metrics);
  const worker = startWorker(config, { ...service, nats, metrics });
  const ctx: Context = {
    pool,
    nats,
    cursors: createCursorCodec({ keys: config.CURSOR_KEYS }),
    now,
    wakeWorker: () => worker?.wake(),
  };
  startPeriodicJobs({ ...service, metrics });
  startRetention(ctx, {
    ...service,
    metrics: retentionMetrics(service.metrics),
    retention: { answerTextDays: config.RESULTS_ANSWER_TEXT_DAYS, unitDays: config.RESULTS_UNIT_DAYS },
  });
  startDailyJobs(ctx, service);
  startDriftJob(ctx, { ...service, metrics: driftMetrics(service.metrics) });
  const rpcs = servePlatformDrift(ctx, log);
  lifecycle.onStop('rpcs', () => rpcs.stop());
  const port = await serveOperations(service, createRoutes(ctx));
  lifecycle.setReady();
  // Days of an import whose process ended before it scored them.
  const unscoredDays = scoreUnscoredDays(pool, { signal: lifecycle.signal }).catch((error: unknown) =>
    log.warn({ err: error }, 'scoring the days of an earlier import failed'),
  );
  lifecycle.onStop('unscored days', () => unscoredDays);
  log.info({ port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

type WorkerDeps = Pick<OpenService, 'pool' | 'log' | 'lifecycle'> & { nats: Nats; metrics: ReprocessMetrics };

/** Returns undefined if `REPROCESS_SHARE_PERCENT` is 0. */
function startWorker(
  config: Config,
  { pool, nats, metrics, log, lifecycle }: WorkerDeps,
): ReprocessWorker | undefined {
  if (config.REPROCESS_SHARE_PERCENT === 0) return undefined;
  const worker = startReprocessWorker({
    pool,
    nats,
    metrics,
    log,
    reader: createReader(log),
    sharePercent: config.REPROCESS_SHARE_PERCENT,
    leaseMs: config.REPROCESS_LEASE_MS,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('reprocess worker', () => worker.stop());
  return worker;
}

async function startConsumers(deps: OpenService & { nats: Nats }): Promise<void> {
  const { nats, lifecycle } = deps;
  const catalog = await startConsumer({
    ...deps,
    source: 'catalog',
    handlers: {
      'catalog.org.changed.v1': onOrgChanged,
      'catalog.brand.changed.v1': onBrandChanged,
      'catalog.prompt.changed.v1': onPromptChanged,
    },
  });
  lifecycle.onStop('catalog consumer', () => catalog.stop());
  const scans = await startConsumer({
    ...deps,
    source: 'scans',
    prepare: backfillBrands(deps.pool, nats),
    handlers: { 'scans.job.changed.v1': onJobChanged },
    batch: { type: unitFinalised.type, size: 100, maxWaitMs: 50, handler: onUnitsFinalised },
  });
  lifecycle.onStop('scans consumer', () => scans.stop());
}

/** Backlogs that the status of the operator API shows. */
async function listQueues(pool: Pool): Promise<Queue[]> {
  const [jobs, expired] = await Promise.all([countReprocessJobs(pool), listExpired(pool)]);
  const oldest = Math.max(...jobs.map(({ oldest_s }) => oldest_s));
  const reprocess = {
    name: 'reprocess jobs',
    waiting: jobs.reduce((sum, { jobs: count }) => sum + count, 0),
    oldest_seconds: jobs.length === 0 ? null : oldest,
  };
  return [reprocess, ...expired];
}

/** None if a worker of Citus does not reply, so that the status still shows the other queues. The gauge logs the error. */
async function listExpired(pool: Pool): Promise<Queue[]> {
  const count = countRetentionBacklog(pool, maxCounted).catch(() => undefined);
  const waiting = await Promise.race([count, sleep(maxCountMs, undefined, { ref: false })]);
  return waiting === undefined ? [] : [{ name: 'brands with expired rows', waiting, oldest_seconds: null }];
}
