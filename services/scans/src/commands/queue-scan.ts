import { ApiError, type ScanJob } from '@bv/contract';
import { isPurged, type ScanPlan } from '@bv/events';
import type { TrackedBrand } from '@bv/extraction';
import type { Transaction } from '@bv/postgres';
import { lockAllowance, updateAllowanceCharged } from '../db/allowances.ts';
import { findOpenJob, insertJob, type JobRow, type NewJob, updateJobCharged } from '../db/jobs.ts';
import { lockVirtualTimes } from '../db/fair-queue.ts';
import { insertUnits } from '../db/units.ts';
import { toUtcDay, toUtcMonth } from '../domain/calendar.ts';
import { chooseCharge, remainingScans } from '../domain/charge.ts';
import { toTrackedBrand } from '../domain/tracked-brand.ts';
import { publishJob } from '../publish/publish.ts';

export type ScanOrder = {
  plan: ScanPlan;
  trigger: ScanJob['trigger'];
  idempotencyKey: string;
  now: Date;
};

export type Queued = { job: JobRow; eventIds: string[] };

/** Throws `brand_archived` or `no_active_prompts` for a plan that has nothing to scan. */
export function checkPlan({ archived, brand, prompts }: ScanPlan): void {
  if (archived) throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
  if (prompts.length === 0) throw new ApiError('no_active_prompts', { details: { brand_id: brand.id } });
}

/**
 * Queues a scan of the plan with all its units. A manual scan is charged. Returns `scan_already_queued` if the brand has
 * a queued or running scan for the day. It writes the job before the allowance, as every transaction that locks both.
 */
export async function queueScan(tx: Transaction, order: ScanOrder): Promise<Queued | ApiError> {
  const { plan, trigger, now } = order;
  if (await isPurged(tx, plan.org.id)) return new ApiError('not_found');
  const inserted = await insertOrFindOpen(tx, newJob(order));
  if (inserted instanceof ApiError) return inserted;
  const charge = trigger === 'manual' ? await chargeScan(tx, plan.org, now) : null;
  const job = charge === null ? inserted : await updateJobCharged(tx, inserted.id, charge);
  await lockVirtualTimes(tx, job.org_id, job.platforms);
  await insertUnits(tx, job, plan.prompts);
  return { job, eventIds: [await publishJob(tx, job)] };
}

/** The open scan may end between the insert and the read; then the insert is repeated. */
async function insertOrFindOpen(tx: Transaction, job: NewJob): Promise<JobRow | ApiError> {
  for (let attempt = 1; ; attempt += 1) {
    const inserted = await insertJob(tx, job);
    if (inserted !== undefined) return inserted;
    const open = await findOpenJob(tx, job.brand_id, job.run_date);
    if (open === undefined && attempt < 3) continue;
    return new ApiError('scan_already_queued', {
      details: { job_id: open?.id ?? null, idempotency_key: open?.idempotency_key ?? null },
    });
  }
}

async function chargeScan(tx: Transaction, org: ScanPlan['org'], now: Date) {
  const limit = org.limits.manual_scans;
  const allowance = await lockAllowance(tx, org.id, toUtcMonth(now));
  const charged = chooseCharge(allowance, limit);
  if (charged === null) {
    throw new ApiError('no_manual_scans', {
      details: {
        manual_scans_remaining: remainingScans(allowance.used, limit) ?? 0,
        scan_credits: allowance.credits,
      },
    });
  }
  const { month } = await updateAllowanceCharged(tx, org.id, charged);
  return { charged, month };
}

function newJob({ plan, trigger, idempotencyKey, now }: ScanOrder): NewJob {
  const { brand, prompts } = plan;
  return {
    org_id: brand.org_id,
    brand_id: brand.id,
    trigger,
    run_date: toUtcDay(now),
    idempotency_key: idempotencyKey,
    units_total: prompts.reduce((sum, prompt) => sum + prompt.countries.length * prompt.platforms.length, 0),
    platforms: [...new Set(prompts.flatMap((prompt) => prompt.platforms))].sort(),
    countries: [...new Set(prompts.flatMap((prompt) => prompt.countries))].sort(),
    tracked_brands: toStoredBrands(brand),
    brand_as_of: brand.updated_at,
    queued_at: now.toISOString(),
  };
}

/** Competitors without aliases: the row stays below 300 kB, and each competitor has its own row in `brands`. */
function toStoredBrands(brand: ScanPlan['brand']): TrackedBrand[] {
  const own = toTrackedBrand(brand);
  const competitors = brand.competitors.map(({ id, name, domain }) => ({
    id,
    name,
    domain,
    aliases: [],
    isOwn: false,
  }));
  return [own, ...competitors];
}
