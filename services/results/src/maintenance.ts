import { pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { type Pool, removeInBatches } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { completeExperiments } from './commands/complete-experiments.ts';
import { judgeNames } from './commands/judge-names.ts';
import { measurePlatforms } from './commands/measure-platforms.ts';
import { applyRetention, type RetentionDeps } from './commands/apply-retention.ts';
import { deleteOldReprocessJobs } from './db/reprocess-jobs.ts';
import { listDriftedDays } from './db/platform-days.ts';
import { countReprocessJobs } from './db/reprocess-leases.ts';
import { type Context, getToday } from './context.ts';
import { countRetentionBacklog } from './db/retention.ts';
import { addDays } from './domain/calendar.ts';
import type { DriftMetrics, ReprocessMetrics } from './telemetry.ts';

const gaugeMs = 10_000;
/** A day ends once in 24 hours. */
const retentionMs = 60 * 60 * 1_000;
/** Keeps the gauge cheap. */
const maxBacklogBrands = 100_000;
const deletionMs = 60 * 60 * 1_000;
const reprocessJobDays = 30;
/** Finds a day that has ended. */
const driftMs = 60 * 60 * 1_000;
/** Finds experiments whose last day is over. */
const experimentMs = 10 * 60 * 1_000;
/** Finds brands whose names the LLM judge has not sorted on this day. */
const nameMs = 60 * 60 * 1_000;
/** The last days that the metric shows. */
const driftDays = 2;

type Maintenance = {
  pool: Pool;
  metrics: ReprocessMetrics;
  log: Logger;
  lifecycle: Lifecycle;
};

/** Starts the periodic jobs: gauges, and deletion of expired rows. */
export function startPeriodicJobs({ pool, metrics, log, lifecycle }: Maintenance): void {
  const failed = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; retrying`);
  const measure = async (): Promise<void> => {
    metrics.queue(await countReprocessJobs(pool));
  };
  const intervals = [
    startInterval(gaugeMs, measure, failed('gauges')),
    startInterval(deletionMs, (stopping) => deleteExpired(pool, stopping), failed('maintenance')),
  ];
  for (const interval of intervals) lifecycle.onStop('interval', () => interval.stop());
}

type RetentionJob = Pick<RetentionDeps, 'retention' | 'metrics'> & Pick<Maintenance, 'log' | 'lifecycle'>;

/** Starts the job that ends the retention of days. */
export function startRetention(ctx: Context, { retention, metrics, log, lifecycle }: RetentionJob): void {
  const { pool, nats } = ctx;
  const failed = (error: unknown) => log.warn({ err: error }, 'retention failed; retrying');
  const run = (stopping: AbortSignal): Promise<void> =>
    applyRetention({ pool, nats, retention, today: getToday(ctx), metrics, log }, stopping);
  const measure = async (): Promise<void> =>
    metrics.backlog(await countRetentionBacklog(pool, maxBacklogBrands));
  for (const interval of [startInterval(retentionMs, run, failed), startInterval(gaugeMs, measure, failed)]) {
    lifecycle.onStop('retention', () => interval.stop());
  }
}

type DriftJob = { metrics: DriftMetrics } & Pick<Maintenance, 'log' | 'lifecycle'>;

/** Starts the job that measures the shape of the platforms' answers. */
export function startDriftJob(ctx: Context, { metrics, log, lifecycle }: DriftJob): void {
  const failed = (error: unknown) => log.warn({ err: error }, 'measuring drift failed; retrying');
  const run = (stopping: AbortSignal): Promise<void> => measurePlatforms(ctx, stopping);
  const report = async (): Promise<void> => {
    const today = getToday(ctx);
    metrics.drifted(await listDriftedDays(ctx.pool, { from: addDays(today, -driftDays), to: today }));
  };
  for (const interval of [startInterval(driftMs, run, failed), startInterval(gaugeMs, report, failed)]) {
    lifecycle.onStop('drift', () => interval.stop());
  }
}

/** Starts the jobs that complete experiments whose last day is over, and let the LLM judge sort names. */
export function startDailyJobs(
  ctx: Context,
  { log, lifecycle }: Pick<Maintenance, 'log' | 'lifecycle'>,
): void {
  const failed = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; retrying`);
  const complete = (stopping: AbortSignal) => completeExperiments({ ...ctx, log }, stopping);
  const intervals = [
    startInterval(experimentMs, complete, failed('completing experiments')),
    startInterval(nameMs, (stopping) => judgeNames(ctx, stopping), failed('judging names')),
  ];
  for (const interval of intervals) lifecycle.onStop('daily jobs', () => interval.stop());
}

/** Deletes stored responses of operations, and ended reprocess jobs. */
async function deleteExpired(pool: Pool, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await removeInBatches((limit) => deleteOldReprocessJobs(pool, reprocessJobDays, limit), stopping);
}
