import type { JobPlan } from '../db/jobs.ts';

const maxJobs = 200;

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
        if (kept.size <= maxJobs) return;
        kept.delete(id);
      }
    },
  };
}
