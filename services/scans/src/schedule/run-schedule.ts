import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import { fetchScanPlan, RpcUnavailable, type ScanPlan } from '@bv/events';
import { isUnavailable, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { queueScan } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { type DueBrand, insertScheduleRun, listBrandsDue } from '../db/brands.ts';
import { secondOfDay, toUtcDay } from '../domain/calendar.ts';
import type { ScanMetrics } from '../telemetry.ts';

const batchSize = 100;
const planTimeoutMs = 8_000;

export type ScheduleDeps = { ctx: Context; metrics: ScanMetrics; log: Logger; signal: AbortSignal };

/**
 * Queues today's scan of every due brand, also after an outage. Replicas may run it concurrently: the first to insert a
 * brand's schedule run of the day queues the scan.
 */
export async function runSchedule(deps: ScheduleDeps): Promise<void> {
  const { pool, now } = deps.ctx;
  const start = now();
  const slot = { runDate: toUtcDay(start), second: secondOfDay(start), limit: batchSize };
  for (let after: DueBrand | null = null; ;) {
    const due: DueBrand[] = await listBrandsDue(pool, { ...slot, after });
    for (const brand of due) {
      // Platforms answer for today only: a past day cannot be measured.
      if (deps.signal.aborted || toUtcDay(now()) !== slot.runDate) return;
      await scheduleBrandSafely(deps, brand, start);
    }
    after = due.at(-1) ?? null;
    if (due.length < batchSize) return;
  }
}

/** A failed brand is retried in the next run and does not block others. Without catalog or Postgres the run ends. */
async function scheduleBrandSafely(deps: ScheduleDeps, brand: DueBrand, now: Date): Promise<void> {
  try {
    await scheduleBrand(deps, brand, now);
  } catch (error) {
    if (error instanceof RpcUnavailable || isUnavailable(error)) throw error;
    deps.metrics.scheduled('failed');
    deps.log.error({ err: error, brand_id: brand.id }, 'a daily scan cannot be queued');
  }
}

async function scheduleBrand({ ctx, metrics, log }: ScheduleDeps, brand: DueBrand, now: Date): Promise<void> {
  const plan = await fetchScanPlan(
    ctx.nats,
    { org_id: brand.org_id, brand_id: brand.id },
    { timeoutMs: planTimeoutMs },
  );
  const result = await transaction(ctx.pool, async (tx) => {
    if (!(await insertScheduleRun(tx, brand.id, toUtcDay(now)))) return 'duplicate';
    if (plan === null || !isScannable(plan)) return 'skipped';
    const order = { plan, trigger: 'scheduled', idempotencyKey: randomUUID(), now } as const;
    if ((await queueScan(tx, order)) instanceof ApiError) return 'skipped';
    tx.onCommit(ctx.wakeWorker);
    return 'queued';
  });
  if (result === 'duplicate') return;
  metrics.scheduled(result);
  log.debug({ brand_id: brand.id, result }, 'daily scan');
}

function isScannable({ brand, archived, prompts }: ScanPlan): boolean {
  return brand.is_own && !archived && prompts.length > 0;
}
