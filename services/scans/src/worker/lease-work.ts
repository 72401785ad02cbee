import { LRUCache } from 'lru-cache';
import type { PlatformId } from '@bv/contract';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { startJobs } from '../commands/jobs.ts';
import { type JobPlan, listJobPlans } from '../db/jobs.ts';
import { advanceRateBucket, lockRateBucket } from '../db/fair-queue.ts';
import { deleteUnits, leaseUnits, updateEndedLeases, type UnitRow } from '../db/units.ts';
import { nextStartMs, type PlatformLimits, startsAllowed } from '../domain/rate-bucket.ts';

const maxPlans = 200;

export type Work = { unit: UnitRow; job: JobPlan };

type LeaseRequest = {
  platform: PlatformId;
  limits: PlatformLimits;
  limit: number;
  leaseMs: number;
  /** Units of the worker whose attempt has ended, so that they make no call. */
  attempted: readonly string[];
  /** Leases of the platform have ended: the units that this worker holds, and whether it may take over others. */
  ended: { held: readonly string[]; takeOver: boolean } | null;
};

/** A worker sends a heartbeat after a third of its lease, or soon after the database is available again. */
const graceMs = (leaseMs: number): number => Math.max(5_000, leaseMs / 2);

/**
 * Leases units of one platform within its limits and starts their jobs. The lock of the platform's rate bucket prevents
 * two replicas from using the same free capacity.
 */
export async function leaseWork(pool: Pool, plans: JobPlans, options: LeaseRequest): Promise<Work[]> {
  const { platform, limits, leaseMs, attempted, ended } = options;
  const { perMinute, concurrency } = limits;
  const work = await transaction(pool, async (tx) => {
    const { idle_ms: idleMs } = await lockRateBucket(tx, platform);
    const limit = startsAllowed({ idleMs, perMinute, limit: options.limit });
    if (limit === 0) return [];
    const { held, takeOver } = ended ?? { held: [], takeOver: false };
    if (ended !== null) await updateEndedLeases(tx, { platform, graceMs: graceMs(leaseMs), held });
    const units = await leaseUnits(tx, { platform, limit, concurrency, leaseMs, takeOver, held, attempted });
    if (units.length === 0) return [];
    const leased = await withRunningJobs(tx, plans, units);
    const paced = perMinute > 0 && leased.length > 0;
    const delayMs = paced ? nextStartMs({ idleMs, perMinute }, leased.length) : null;
    const virtualTime = Math.max(...units.map((unit) => unit.virtual_time));
    await advanceRateBucket(tx, platform, { virtualTime, delayMs });
    return leased;
  });
  for (const { job } of work) plans.set(job.id, job);
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

/** Plans of running jobs, which never change. Add them after the commit that started the jobs. */
export type JobPlans = LRUCache<string, JobPlan>;

export const createJobPlans = (): JobPlans => new LRUCache({ max: maxPlans });
