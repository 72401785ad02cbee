import type { PlatformId } from '@bv/contract';
import { type Pool, transaction, type Transaction } from '@bv/postgres';
import { startJobs } from '../commands/start-jobs.ts';
import { type JobPlan, listJobPlans } from '../db/jobs.ts';
import { lockLane, updateLaneClaimed } from '../db/lanes.ts';
import { claimUnits, deleteUnits, type UnitRow } from '../db/units.ts';
import { nextStartMs, startsAllowed } from '../domain/pace.ts';
import type { JobPlans } from './job-plans.ts';

export type Lane = { concurrency: number; perMinute: number };
export type Work = { unit: UnitRow; job: JobPlan };

type Claim = {
  platform: PlatformId;
  lane: Lane;
  limit: number;
  leaseMs: number;
  /** Whether units whose lease ended are those of lost workers. */
  takeOver: boolean;
};

/**
 * Claims units of one platform, within its concurrency and pace over all replicas, and starts their jobs. The lane's
 * row lock is held, so that two replicas never count the same room.
 */
export async function claim(pool: Pool, plans: JobPlans, options: Claim): Promise<Work[]> {
  const { platform, lane, leaseMs, takeOver } = options;
  const { perMinute, concurrency } = lane;
  const work = await transaction(pool, async (tx) => {
    const { idle_ms: idleMs } = await lockLane(tx, platform);
    const limit = startsAllowed({ idleMs, perMinute, limit: options.limit });
    if (limit === 0) return [];
    const units = await claimUnits(tx, { platform, limit, concurrency, leaseMs, takeOver });
    if (units.length === 0) return [];
    const claimed = await withJobs(tx, plans, units);
    const paced = perMinute > 0 && claimed.length > 0;
    const delayMs = paced ? nextStartMs({ idleMs, perMinute }, claimed.length) : null;
    await updateLaneClaimed(tx, platform, { turn: Math.max(...units.map((unit) => unit.turn)), delayMs });
    return claimed;
  });
  plans.keep(work.map(({ job }) => job));
  return work;
}

/** Units with their jobs, which now run; those of cancelled jobs leave the queue. */
async function withJobs(tx: Transaction, plans: JobPlans, units: UnitRow[]): Promise<Work[]> {
  const jobIds = [...new Set(units.map((unit) => unit.job_id))];
  const known = jobIds.map((id) => plans.get(id)).filter((plan) => plan !== undefined);
  const unknown = jobIds.filter((id) => !known.some((plan) => plan.id === id));
  if (unknown.length > 0) {
    await startJobs(tx, unknown);
    known.push(...(await listJobPlans(tx, unknown)).filter((plan) => plan.status === 'running'));
  }
  const jobs = new Map(known.map((plan) => [plan.id, plan]));
  const orphans = units.filter((unit) => !jobs.has(unit.job_id)).map((unit) => unit.id);
  if (orphans.length > 0) await deleteUnits(tx, orphans);
  return units.flatMap((unit) => {
    const job = jobs.get(unit.job_id);
    return job === undefined ? [] : [{ unit, job }];
  });
}
