import type { ScanJob } from '@bv/contract';
import type { JobRow } from '../db/jobs.ts';

export function presentJob(job: JobRow): ScanJob {
  const { brand_id, status, trigger, run_date, idempotency_key, queued_at, started_at, completed_at } = job;
  const units = {
    total: job.units_total,
    answered: job.units_answered,
    no_answer: job.units_no_answer,
    failed: job.units_failed,
  };
  return {
    job_id: job.id,
    brand_id,
    status,
    trigger,
    run_date,
    idempotency_key,
    units,
    queued_at,
    started_at,
    completed_at,
  };
}
