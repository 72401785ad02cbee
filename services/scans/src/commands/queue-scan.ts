import { ApiError, type ScanJob } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { lockAllowance, updateAllowanceCharged } from '../db/allowances.ts';
import { findOpenJob, insertJob, type JobRow, type NewJob, updateJobCharged } from '../db/jobs.ts';
import { upsertOrg } from '../db/orgs.ts';
import { insertUnits } from '../db/units.ts';
import { dayOf, monthOf } from '../domain/calendar.ts';
import { chooseCharge, remainingScans } from '../domain/charge.ts';
import { publishAllowance, publishJob } from '../events/publish.ts';

export type ScanOrder = {
  plan: ScanPlan;
  trigger: ScanJob['trigger'];
  idempotencyKey: string;
  now: Date;
};

export type Queued = { job: JobRow; eventIds: string[] };

/** Refuses a plan by which nothing can be scanned now. */
export function checkPlan({ archived, brand, prompts }: ScanPlan): void {
  if (archived) throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
  if (prompts.length === 0) throw new ApiError('no_active_prompts', { details: { brand_id: brand.id } });
}

/**
 * Queues a scan of the plan with all its units, charged if it is a manual one; undefined where the brand has a scan
 * queued or running for the day. The job comes before the allowance, as in every transaction that touches both.
 */
export async function queueScan(tx: Transaction, order: ScanOrder): Promise<Queued | undefined> {
  const { plan, trigger, now } = order;
  const inserted = await insertJob(tx, newJob(order));
  if (inserted === undefined) return undefined;
  // Version 0: any event that comes is newer.
  await upsertOrg(tx, plan.org, 0);
  const charge = trigger === 'manual' ? await chargeScan(tx, plan.org, now) : null;
  const job = charge === null ? inserted : await updateJobCharged(tx, inserted.id, charge);
  await insertUnits(tx, job.id, plan.prompts);
  return { job, eventIds: [await publishJob(tx, job), ...(charge === null ? [] : [charge.eventId])] };
}

/** The refusal that names the scan which is in the way; it may have ended just now. */
export async function alreadyQueued(tx: Transaction, { plan, now }: ScanOrder): Promise<ApiError> {
  const open = await findOpenJob(tx, plan.brand.id, dayOf(now));
  return new ApiError('scan_already_queued', {
    details: { job_id: open?.id ?? null, idempotency_key: open?.idempotency_key ?? null },
  });
}

async function chargeScan(tx: Transaction, org: ScanPlan['org'], now: Date) {
  const limit = org.limits.manual_scans;
  const allowance = await lockAllowance(tx, org.id, monthOf(now));
  const charged = chooseCharge(allowance, limit);
  if (charged === null) {
    throw new ApiError('no_manual_scans', {
      details: {
        manual_scans_remaining: remainingScans(allowance.used, limit) ?? 0,
        scan_credits: allowance.credits,
      },
    });
  }
  const updated = await updateAllowanceCharged(tx, org.id, charged);
  return { charged, month: updated.month, eventId: await publishAllowance(tx, updated, limit) };
}

function newJob({ plan, trigger, idempotencyKey, now }: ScanOrder): NewJob {
  const { brand, prompts } = plan;
  const tracked = [
    { ...brand, isOwn: true },
    ...brand.competitors.map((rival) => ({ ...rival, isOwn: false })),
  ];
  return {
    org_id: brand.org_id,
    brand_id: brand.id,
    trigger,
    run_date: dayOf(now),
    idempotency_key: idempotencyKey,
    units_total: prompts.reduce((sum, prompt) => sum + prompt.countries.length * prompt.platforms.length, 0),
    platforms: [...new Set(prompts.flatMap((prompt) => prompt.platforms))].sort(),
    countries: [...new Set(prompts.flatMap((prompt) => prompt.countries))].sort(),
    tracked_brands: tracked.map(({ id, name, domain, aliases, isOwn }) => ({
      id,
      name,
      domain,
      aliases,
      isOwn,
    })),
    brand_as_of: brand.updated_at,
    queued_at: now.toISOString(),
  };
}
