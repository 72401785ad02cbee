import { platformIds, type Queue } from '@bv/contract';
import { brandChanged, maxCounted, type Nats, orgChanged, startConsumer } from '@bv/events';
import type { Lifecycle } from '@bv/lifecycle';
import type { Pool } from '@bv/postgres';
import { openMessaging, openService, type OpenService, serveOperations, startOrgPurges } from '@bv/service';
import type { Logger } from '@bv/telemetry';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { purgePlan } from './db/purge.ts';
import { countQueue } from './db/units.ts';
import { storeWorkerSettings } from './db/worker-settings.ts';
import { onBrandChanged, onOrgChanged } from './events/on-catalog-changes.ts';
import { serveRpcs } from './events/serve-rpcs.ts';
import { createRoutes } from './http/routes.ts';
import { startPeriodicJobs } from './maintenance.ts';
import { createAdapters } from './platforms/create-adapters.ts';
import { answerPrices, platformConfigs, platformLimits } from './platforms/platform-config.ts';
import { createPlatformHttp } from './platforms/platform-http.ts';
import { scanMetrics } from './telemetry.ts';
import { describeWorker } from './worker/describe-worker.ts';
import { createJudgeBudget } from './worker/judge-budget.ts';
import { toJudgeConfig } from './worker/judge-config.ts';
import { createSentimentJudge, type SentimentJudge } from './worker/sentiment-judge.ts';
import { createTrackedBrands } from './worker/tracked-brands.ts';
import type { UnitDeps } from './worker/run-unit.ts';
import { startWorker, type Worker } from './worker/worker.ts';

const retryMaxMs = 60_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; monitoringPort: number };

/** Creates and starts the service. The lifecycle closes its resources in reverse order. */
export async function createApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const service = await openService({ service: 'scans', config, log, lifecycle });
  const { pool, monitoringPort } = service;
  const nats = await openMessaging(service, () => listQueues(pool));
  await startConsuming(service, nats);
  const metrics = scanMetrics(service.metrics, answerPrices(config));
  const judge = openJudge(config, { pool, metrics, log, now, lifecycle });
  const trackedBrands = createTrackedBrands({ pool, nats, log });
  const rpcs = serveRpcs({ pool, nats, log, judge, trackedBrands, now, signal: lifecycle.signal });
  lifecycle.onStop('request/reply', () => rpcs.stop());
  const worker = await startPlatformWorker(config, { pool, metrics, log, lifecycle, judge, trackedBrands });
  const ctx: Context = {
    pool,
    nats,
    log,
    metrics,
    cadence: { per_day: config.SCHEDULE_INTERVAL_MS > 0 ? 1 : 0, samples_per_unit: 1 },
    now,
    wakeWorker: () => worker?.wake(),
  };
  startPeriodicJobs(ctx, config, lifecycle);
  startOrgPurges({ ...service, nats }, purgePlan);
  const port = await serveOperations(service, createRoutes(ctx));
  lifecycle.setReady();
  log.info({ port, monitoringPort }, 'ready');
  return { port, monitoringPort };
}

async function startConsuming(service: OpenService, nats: Nats): Promise<void> {
  const consumer = await startConsumer({
    ...service,
    nats,
    source: 'catalog',
    handlers: { [orgChanged.type]: onOrgChanged, [brandChanged.type]: onBrandChanged },
  });
  service.lifecycle.onStop('catalog consumer', () => consumer.stop());
}

type WorkerDeps = Pick<UnitDeps, 'pool' | 'metrics' | 'log' | 'judge' | 'trackedBrands'> & {
  lifecycle: Lifecycle;
};

/** Starts the worker with its platform adapters. Returns undefined if `WORKER_CONCURRENCY` is 0. */
async function startPlatformWorker(
  config: Config,
  { lifecycle, ...deps }: WorkerDeps,
): Promise<Worker | undefined> {
  if (config.WORKER_CONCURRENCY === 0) return undefined;
  await storeWorkerSettings(deps.pool, describeWorker(config));
  const configs = platformConfigs(config);
  const unconfigured = platformIds.filter((id) => configs[id].apiKey === null);
  if (unconfigured.length > 0)
    deps.log.warn({ platforms: unconfigured }, 'no API key: units of these platforms fail');
  const http = createPlatformHttp({
    timeoutMs: config.UNIT_TIMEOUT_MS,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
  });
  lifecycle.onStop('platform connections', () => http.close());
  const { UNIT_MAX_ATTEMPTS: maxAttempts, RETRY_BASE_MS: baseMs } = config;
  const worker = await startWorker({
    ...deps,
    adapters: createAdapters(configs, http, deps.metrics.genAi),
    retry: { maxAttempts, baseMs, maxMs: retryMaxMs },
    leaseMs: config.UNIT_LEASE_MS,
    limits: platformLimits(config),
    prices: answerPrices(config),
    concurrency: config.WORKER_CONCURRENCY,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('worker', () => worker.stop());
  return worker;
}

type JudgeDeps = Pick<Context, 'pool' | 'metrics' | 'log' | 'now'> & { lifecycle: Lifecycle };

function openJudge(config: Config, { pool, metrics, log, now, lifecycle }: JudgeDeps): SentimentJudge | null {
  const configured = toJudgeConfig(config, platformConfigs(config));
  if (configured === null) {
    log.info('a lexicon rates the sentiment: the LLM judge is off or has no key');
    return null;
  }
  const { model, monthlyBudgetUsd } = configured;
  log.info({ model, monthlyBudgetUsd }, 'the LLM judge rates the sentiment');
  const budget = monthlyBudgetUsd === null ? null : createJudgeBudget(monthlyBudgetUsd, { pool, log, now });
  const judge = createSentimentJudge(configured, { metrics, log, budget });
  lifecycle.onStop('sentiment judge', () => judge.close());
  return judge;
}

/** Backlogs that the status of the operator API shows. */
async function listQueues(pool: Pool): Promise<Queue[]> {
  const states = await countQueue(pool);
  const waiting = states.reduce((sum, { pending }) => sum + pending, 0);
  const oldest = Math.max(...states.map(({ oldest_due_s }) => oldest_due_s));
  return [
    {
      name: 'units',
      waiting: Math.min(waiting, maxCounted),
      oldest_seconds: waiting === 0 ? null : oldest,
    },
  ];
}
