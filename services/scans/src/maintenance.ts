import { pruneOperations } from '@bv/http';
import { type Lifecycle, startInterval } from '@bv/lifecycle';
import { removeInBatches } from '@bv/postgres';
import { runSchedule } from './commands/run-schedule.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { deleteScheduleRunsBefore } from './db/brands.ts';
import { findSpending } from './db/judge-spending.ts';
import { countQueue, deleteOldUnits } from './db/units.ts';
import { toUtcDay, toUtcMonth } from './domain/calendar.ts';
import { platformConfigs } from './platforms/platform-config.ts';
import { toJudgeConfig } from './worker/judge-config.ts';

const gaugeMs = 10_000;
const deletionMs = 60 * 60 * 1_000;
/** Short, so that the schedule continues soon after an outage. */
const scheduleRetryMs = 2_000;

const unitDays = 30;
const scheduleRunDays = 7;

/** Starts the periodic jobs: gauges, deletion of expired rows and the daily schedule. */
export function startPeriodicJobs(ctx: Context, config: Config, lifecycle: Lifecycle): void {
  const { pool, log, metrics } = ctx;
  const failed = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; retrying`);
  const intervals = [
    startInterval(gaugeMs, async () => metrics.queue(await countQueue(pool)), failed('queue gauges')),
    startInterval(deletionMs, (stopping) => deleteExpired(ctx, stopping), failed('maintenance')),
  ];
  const budgetUsd = toJudgeConfig(config, platformConfigs(config))?.monthlyBudgetUsd ?? null;
  if (budgetUsd !== null)
    intervals.push(startInterval(gaugeMs, () => measureBudget(ctx, budgetUsd), failed('budget gauge')));
  if (config.SCHEDULE_INTERVAL_MS > 0) {
    const run = () => runSchedule(ctx, lifecycle.signal);
    const options = { retryMs: scheduleRetryMs };
    intervals.push(startInterval(config.SCHEDULE_INTERVAL_MS, run, failed('daily schedule'), options));
  }
  for (const interval of intervals) lifecycle.onStop('interval', () => interval.stop());
}

async function measureBudget({ pool, metrics, now }: Context, budgetUsd: number): Promise<void> {
  const spentUsd = await findSpending(pool, toUtcMonth(now()));
  metrics.judgeBudgetUsed(spentUsd / budgetUsd);
}

/** Deletes stored responses of operations, units of ended jobs and past days of the schedule. */
async function deleteExpired({ pool, now }: Context, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  const oldestDay = toUtcDay(new Date(now().getTime() - scheduleRunDays * 86_400_000));
  await deleteScheduleRunsBefore(pool, oldestDay);
  await removeInBatches((limit) => deleteOldUnits(pool, unitDays, limit), stopping);
}
