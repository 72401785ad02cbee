import { ApiError, type PlatformId, type ScanJob } from '@bv/contract';
import { isPurged, type ScanPlan } from '@bv/events';
import type { TrackedBrand } from '@bv/extraction';
import type { Transaction } from '@bv/postgres';
import { decideScan } from './decide-scan.ts';
import { lockAllowance, updateAllowanceCharged } from '../db/allowances.ts';
import {
  findOpenJob,
  insertJob,
  type JobRow,
  type NewJob,
  type OpenJob,
  updateJobCharged,
} from '../db/jobs.ts';
import { lockVirtualTimes } from '../db/fair-queue.ts';
import { insertUnits } from '../db/units.ts';
import { toUtcDay, toUtcMonth } from '../domain/calendar.ts';
import type { Charged } from '../domain/charge.ts';
import { toTrackedBrand } from '../domain/tracked-brand.ts';
import { publishJob } from '../publish/publish.ts';

export type ScanOrder = {
  plan: ScanPlan;
  trigger: ScanJob['trigger'];
  idempotencyKey: string;
  now: Date;
};

export type Queued = { job: JobRow; eventIds: string[] };

/**
 * Queues a scan of the plan with all its units, or returns the refusal; the caller then rolls back. A manual scan is
 * charged. It writes the job before the allowance, as every transaction that locks both.
 */
export async function queueScan(tx: Transaction, order: ScanOrder): Promise<Queued | ApiError> {
  const { plan, trigger, now } = order;
  if (await isPurged(tx, plan.org.id)) return new ApiError('not_found');
  let inserted: JobRow | undefined;
  const decided = await decideScan(order, {
    findOpen: async () => {
      const result = await insertOrFindOpen(tx, newJob(order));
      inserted = result.job;
      return result.open;
    },
    getAllowance: () => lockAllowance(tx, plan.org.id, toUtcMonth(now)),
  });
  if (decided instanceof ApiError) return decided;
  if (inserted === undefined) throw new Error('the decision inserted no job');
  const job = trigger === 'manual' ? await charge(tx, inserted, decided) : inserted;
  await lockVirtualTimes(tx, job.org_id, job.platforms);
  await insertUnits(tx, job, plan.prompts);
  return { job, eventIds: [await publishJob(tx, job)] };
}

async function charge(tx: Transaction, { id, org_id: orgId }: JobRow, charged: Charged): Promise<JobRow> {
  const { month } = await updateAllowanceCharged(tx, orgId, charged);
  return updateJobCharged(tx, id, { charged, month });
}

type Inserted =
  | { job: JobRow; open: undefined }
  | { job: undefined; open: OpenJob | { id: null; idempotency_key: null } };

/** The open scan may end between the insert and the read; then the insert is repeated. */
async function insertOrFindOpen(tx: Transaction, job: NewJob): Promise<Inserted> {
  for (let attempt = 1; ; attempt += 1) {
    const inserted = await insertJob(tx, job);
    if (inserted !== undefined) return { job: inserted, open: undefined };
    const open = await findOpenJob(tx, job.brand_id, job.run_date);
    if (open === undefined && attempt < 3) continue;
    return { job: undefined, open: open ?? { id: null, idempotency_key: null } };
  }
}

function newJob({ plan, trigger, idempotencyKey, now }: ScanOrder): NewJob {
  const { brand, prompts } = plan;
  const units = countUnits(prompts);
  return {
    org_id: brand.org_id,
    brand_id: brand.id,
    trigger,
    run_date: toUtcDay(now),
    idempotency_key: idempotencyKey,
    units_total: [...units.values()].reduce((sum, units) => sum + units, 0),
    platforms: [...units.keys()],
    countries: [...new Set(prompts.flatMap((prompt) => prompt.countries))].sort(),
    tracked_brands: toStoredBrands(brand),
    brand_as_of: brand.updated_at,
    queued_at: now.toISOString(),
  };
}

/** The units of a plan by platform, in alphabetical order. */
export function countUnits(prompts: ScanPlan['prompts']): Map<PlatformId, number> {
  const platforms = [...new Set(prompts.flatMap((prompt) => prompt.platforms))].sort();
  const count = (platform: PlatformId): number =>
    prompts.reduce((sum, each) => sum + (each.platforms.includes(platform) ? each.countries.length : 0), 0);
  return new Map(platforms.map((platform) => [platform, count(platform)]));
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
