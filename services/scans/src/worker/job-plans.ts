import type { JobPlan } from '../db/jobs.ts';

const mostJobs = 200;

/**
 * Plans of the running jobs this process works on, each read once: all units of a job then share one list of brands,
 * which the extractor has compiled. A running job's plan never changes.
 */
export type JobPlans = {
  get(jobId: string): JobPlan | undefined;
  /** Call after the commit that set them running. */
  keep(plans: readonly JobPlan[]): void;
};

export function createJobPlans(): JobPlans {
  const kept = new Map<string, JobPlan>();
  return {
    get: (jobId) => {
      const plan = kept.get(jobId);
      if (plan === undefined) return undefined;
      // Moved to the end: the ones longest unused are at the front.
      kept.delete(jobId);
      kept.set(jobId, plan);
      return plan;
    },
    keep: (plans) => {
      for (const plan of plans) kept.set(plan.id, plan);
      for (const id of kept.keys()) {
        if (kept.size <= mostJobs) return;
        kept.delete(id);
      }
    },
  };
}
