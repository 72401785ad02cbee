import { platformIds } from '@bv/contract';
import { brandChanged, type Nats, orgChanged, startConsumer } from '@bv/events';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { openMessaging, openService, type OpenService, serveOperations } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { countQueue } from './db/units.ts';
import { onBrandChanged, onOrgChanged } from './events/on-catalog-changes.ts';
import { createRoutes } from './http/routes.ts';
import { toJudgeConfig } from './judge/judge-config.ts';
import { createSentimentJudge, type JudgeDeps, type SentimentJudge } from './judge/sentiment-judge.ts';
import { platformConfigs, platformLimits } from './platform-config.ts';
import { createAdapters } from './platforms/create-adapters.ts';
import { createPlatformHttp } from './platforms/platform-http.ts';
import { runSchedule } from './schedule/run-schedule.ts';
import { scanMetrics } from './telemetry.ts';
import { runMaintenance } from './maintenance.ts';
import { startWorker, type Worker } from './worker/worker.ts';

const queueGaugeMs = 10_000;
const maintenanceMs = 60 * 60 * 1_000;
const retryMaxMs = 60_000;
/** Short, so that the schedule continues soon after an outage. */
const scheduleRetryMs = 2_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

type Parts = OpenService & { nats: Nats; now: () => Date };

/** Starts the service. The lifecycle closes everything in reverse order. */
export async function createApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const open = await openService({ service: 'scans', config, log, lifecycle });
  const { pool, monitoringPort } = open;
  const nats = await openMessaging(open);
  const parts: Parts = { ...open, nats, now };
  await startConsuming(parts);
  const worker = await startWork(config, parts);
  const ctx: Context = { pool, nats, now, wakeWorker: () => worker?.wake() };
  startPeriodicJobs(config, parts, ctx);
  const port = await serveOperations(open, createRoutes(ctx));
  lifecycle.setReady();
  log.info({ port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

async function startConsuming({ now, ...deps }: Parts): Promise<void> {
  const consumer = await startConsumer({
    ...deps,
    source: 'catalog',
    handlers: { [orgChanged.type]: onOrgChanged(now), [brandChanged.type]: onBrandChanged },
  });
  deps.lifecycle.onStop('catalog consumer', () => consumer.stop());
}

/** Starts the worker with its platform adapters. Returns undefined if `WORKER_CONCURRENCY` is 0. */
async function startWork(
  config: Config,
  { pool, log, metrics, lifecycle }: Parts,
): Promise<Worker | undefined> {
  if (config.WORKER_CONCURRENCY === 0) return undefined;
  const configs = platformConfigs(config);
  const unconfigured = platformIds.filter((id) => configs[id].apiKey === null);
  if (unconfigured.length > 0)
    log.warn({ platforms: unconfigured }, 'no API key: units of these platforms fail');
  const http = createPlatformHttp({
    timeoutMs: config.UNIT_TIMEOUT_MS,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
  });
  lifecycle.onStop('platform connections', () => http.close());
  const { UNIT_MAX_ATTEMPTS: maxAttempts, RETRY_BASE_MS: baseMs } = config;
  const meters = scanMetrics(metrics);
  const worker = await startWorker({
    pool,
    judge: openJudge(config, { log, lifecycle, metrics: meters }),
    adapters: createAdapters(configs, http),
    retry: { maxAttempts, baseMs, maxMs: retryMaxMs },
    leaseMs: config.UNIT_LEASE_MS,
    limits: platformLimits(config),
    concurrency: config.WORKER_CONCURRENCY,
    metrics: meters,
    log,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('worker', () => worker.stop());
  return worker;
}

function openJudge(
  config: Config,
  { lifecycle, ...deps }: JudgeDeps & { lifecycle: Lifecycle },
): SentimentJudge | null {
  const configured = toJudgeConfig(config);
  if (configured === null) return null;
  const judge = createSentimentJudge(configured, deps);
  lifecycle.onStop('sentiment judge', () => judge.close());
  return judge;
}

/** Starts the periodic jobs: queue gauges, maintenance and the daily schedule. */
function startPeriodicJobs(
  config: Config,
  { pool, log, metrics, lifecycle, now }: Parts,
  ctx: Context,
): void {
  const meters = scanMetrics(metrics);
  const failed = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; retrying`);
  const intervals = [
    startInterval(queueGaugeMs, async () => meters.queue(await countQueue(pool)), failed('queue gauges')),
    startInterval(maintenanceMs, (stopping) => runMaintenance(pool, now(), stopping), failed('maintenance')),
  ];
  if (config.SCHEDULE_INTERVAL_MS > 0) {
    const deps = { ctx, metrics: meters, log, signal: lifecycle.signal };
    intervals.push(
      startInterval(config.SCHEDULE_INTERVAL_MS, () => runSchedule(deps), failed('daily schedule'), {
        retryMs: scheduleRetryMs,
      }),
    );
  }
  for (const interval of intervals) lifecycle.onStop('interval', () => interval.stop());
}
