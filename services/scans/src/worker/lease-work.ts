import type { PlatformId } from '@bv/contract';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { startJobs } from '../commands/jobs.ts';
import { type JobPlan, listJobPlans } from '../db/jobs.ts';
import { advanceRateBucket, lockRateBucket } from '../db/fair-queue.ts';
import { deleteUnits, leaseUnits, type UnitRow } from '../db/units.ts';
import { nextStartMs, type PlatformLimits, startsAllowed } from '../domain/rate-bucket.ts';

const maxPlans = 200;

export type Work = { unit: UnitRow; job: JobPlan };

type LeaseRequest = {
  platform: PlatformId;
  limits: PlatformLimits;
  limit: number;
  leaseMs: number;
  /** Whether units with expired leases belong to lost workers. */
  takeOver: boolean;
};

/**
 * Leases units of one platform within its limits and starts their jobs. The lock of the platform's rate bucket prevents
 * two replicas from using the same free capacity.
 */
export async function leaseWork(pool: Pool, plans: JobPlans, options: LeaseRequest): Promise<Work[]> {
  const { platform, limits, leaseMs, takeOver } = options;
  const { perMinute, concurrency } = limits;
  const work = await transaction(pool, async (tx) => {
    const { idle_ms: idleMs } = await lockRateBucket(tx, platform);
    const limit = startsAllowed({ idleMs, perMinute, limit: options.limit });
    if (limit === 0) return [];
    const units = await leaseUnits(tx, { platform, limit, concurrency, leaseMs, takeOver });
    if (units.length === 0) return [];
    const leased = await withRunningJobs(tx, plans, units);
    const paced = perMinute > 0 && leased.length > 0;
    const delayMs = paced ? nextStartMs({ idleMs, perMinute }, leased.length) : null;
    const virtualTime = Math.max(...units.map((unit) => unit.turn));
    await advanceRateBucket(tx, platform, { virtualTime, delayMs });
    return leased;
  });
  plans.keep(work.map(({ job }) => job));
  return work;
}

/** Returns the units with their jobs, which it starts if necessary. Deletes units of cancelled jobs. */
async function withRunningJobs(tx: Transaction, plans: JobPlans, units: UnitRow[]): Promise<Work[]> {
  const jobIds = [...new Set(units.map((unit) => unit.job_id))];
  const running = jobIds.map((id) => plans.get(id)).filter((plan) => plan !== undefined);
  const missing = jobIds.filter((id) => !running.some((plan) => plan.id === id));
  if (missing.length > 0) {
    await startJobs(tx, missing);
    running.push(...(await listJobPlans(tx, missing)).filter((plan) => plan.status === 'running'));
  }
  const jobs = new Map(running.map((plan) => [plan.id, plan]));
  const orphans = units.filter((unit) => !jobs.has(unit.job_id)).map((unit) => unit.id);
  if (orphans.length > 0) await deleteUnits(tx, orphans);
  return units.flatMap((unit) => {
    const job = jobs.get(unit.job_id);
    return job === undefined ? [] : [{ unit, job }];
  });
}

/**
 * Cache of the plans of running jobs. All units of a job share one list of brands, for which the extractor compiles one
 * matcher. A running job's plan never changes.
 */
export type JobPlans = {
  get(jobId: string): JobPlan | undefined;
  /** Call after the commit that started the jobs. */
  keep(plans: readonly JobPlan[]): void;
};

export function createJobPlans(): JobPlans {
  const kept = new Map<string, JobPlan>();
  return {
    get: (jobId) => {
      const plan = kept.get(jobId);
      if (plan === undefined) return undefined;
      // Moved to the end: the front holds the least recently used.
      kept.delete(jobId);
      kept.set(jobId, plan);
      return plan;
    },
    keep: (plans) => {
      for (const plan of plans) kept.set(plan.id, plan);
      for (const id of kept.keys()) {
        if (kept.size <= maxPlans) return;
        kept.delete(id);
      }
    },
  };
}
