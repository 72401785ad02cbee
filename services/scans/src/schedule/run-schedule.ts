import { randomUUID } from 'node:crypto';
import { ApiError } from '@bv/contract';
import { fetchScanPlan, RpcUnavailable, type ScanPlan } from '@bv/events';
import { isUnavailable, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { queueScan } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { type DueBrand, listBrandsDue } from '../db/brands.ts';
import { insertScheduleRun } from '../db/schedule-runs.ts';
import { dayOf } from '../domain/calendar.ts';
import { secondOfDay } from '../domain/schedule-slot.ts';
import type { ScanMetrics } from '../telemetry.ts';

const batch = 100;
const planTimeoutMs = 8_000;

export type ScheduleDeps = { ctx: Context; metrics: ScanMetrics; log: Logger; signal: AbortSignal };

/**
 * Queues today's scan of every brand whose time has come, also long after an outage. Replicas may do so at once: the
 * first to write a brand's run of the day has it.
 */
export async function runSchedule(deps: ScheduleDeps): Promise<void> {
  const { pool, now } = deps.ctx;
  const start = now();
  const moment = { runDate: dayOf(start), second: secondOfDay(start), limit: batch };
  for (let after: DueBrand | null = null; ;) {
    const due: DueBrand[] = await listBrandsDue(pool, { ...moment, after });
    for (const brand of due) {
      // A day that is over cannot be measured any more.
      if (deps.signal.aborted || dayOf(now()) !== moment.runDate) return;
      await tryBrand(deps, brand, start);
    }
    after = due.at(-1) ?? null;
    if (due.length < batch) return;
  }
}

/** A brand that fails is tried again at the next run and holds up no other; without catalog there is no point. */
async function tryBrand(deps: ScheduleDeps, brand: DueBrand, now: Date): Promise<void> {
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
    if (!(await insertScheduleRun(tx, brand.id, dayOf(now)))) return 'taken';
    if (plan === null || !isScannable(plan)) return 'skipped';
    const order = { plan, trigger: 'scheduled', idempotencyKey: randomUUID(), now } as const;
    return (await queueScan(tx, order)) instanceof ApiError ? 'skipped' : 'queued';
  });
  if (result === 'taken') return;
  metrics.scheduled(result);
  log.debug({ brand_id: brand.id, result }, 'daily scan');
  if (result === 'queued') ctx.onQueued();
}

function isScannable({ brand, archived, prompts }: ScanPlan): boolean {
  return brand.is_own && !archived && prompts.length > 0;
}
