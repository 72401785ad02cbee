import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import { fetchScanPlan, RpcUnavailable, type ScanPlan } from '@bv/events';
import { isUnavailable, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { type DueBrand, insertScheduleRun, listBrandsDue } from '../db/brands.ts';
import { secondOfDay, toUtcDay } from '../domain/calendar.ts';
import { queueScan } from './queue-scan.ts';

const batchSize = 100;

/**
 * Queues today's scan of every due brand, also after an outage. Replicas may run it concurrently: the first to insert a
 * brand's schedule run of the day queues the scan.
 */
export async function runSchedule(ctx: Context, stopping: AbortSignal): Promise<void> {
  const { pool, now } = ctx;
  const start = now();
  const slot = { runDate: toUtcDay(start), second: secondOfDay(start), limit: batchSize };
  for (let after: DueBrand | null = null; ;) {
    const due: DueBrand[] = await listBrandsDue(pool, { ...slot, after });
    for (const brand of due) {
      // Platforms answer for today only: a past day cannot be measured.
      if (stopping.aborted || toUtcDay(now()) !== slot.runDate) return;
      await scheduleBrandSafely(ctx, brand, start);
    }
    after = due.at(-1) ?? null;
    if (due.length < batchSize) return;
  }
}

/** A failed brand is retried in the next run and does not block others. Without catalog or Postgres the run ends. */
async function scheduleBrandSafely(ctx: Context, brand: DueBrand, now: Date): Promise<void> {
  try {
    await scheduleBrand(ctx, brand, now);
  } catch (error) {
    if (error instanceof RpcUnavailable || isUnavailable(error)) throw error;
    ctx.metrics.scheduled('failed');
    ctx.log.error({ err: error, brand_id: brand.id }, 'a daily scan cannot be queued');
  }
}

async function scheduleBrand(ctx: Context, brand: DueBrand, now: Date): Promise<void> {
  const { pool, nats, metrics, log } = ctx;
  const plan = await fetchScanPlan(nats, { org_id: brand.org_id, brand_id: brand.id });
  const result = await transaction(pool, async (tx) => {
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
