import type { PlatformId, ScanJob } from '@bv/contract';
import { many, maybeOne, type NamedQuery, one, type Queryable, type Transaction } from '@bv/postgres';
import { injectTraceContext } from '@bv/telemetry';
import type { Charged } from '../domain/charge.ts';
import type { TrackedBrand } from '@bv/extraction';

export type JobRow = {
  id: string;
  org_id: string;
  brand_id: string;
  status: ScanJob['status'];
  trigger: ScanJob['trigger'];
  run_date: string;
  idempotency_key: string;
  units_total: number;
  units_answered: number;
  units_no_answer: number;
  units_failed: number;
  platforms: PlatformId[];
  countries: string[];
  charged: Charged;
  charged_month: string | null;
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
  version: number;
};

const columns = `id, org_id, brand_id, status, trigger, run_date, idempotency_key, units_total, units_answered,
  units_no_answer, units_failed, platforms, countries, charged, charged_month, queued_at, started_at, completed_at,
  version`;

export type NewJob = Pick<
  JobRow,
  | 'org_id'
  | 'brand_id'
  | 'trigger'
  | 'run_date'
  | 'idempotency_key'
  | 'units_total'
  | 'platforms'
  | 'countries'
> & {
  /** Used for a brand that neither the projection nor catalog knows at the time of an answer. */
  tracked_brands: TrackedBrand[];
  brand_as_of: string;
  queued_at: string;
};

/** Queues a job. Returns undefined if the brand has a queued or running one for the day, also a concurrent insert. */
export function insertJob(tx: Transaction, job: NewJob): Promise<JobRow | undefined> {
  return maybeOne<JobRow>(tx, {
    name: 'scans.insert_job',
    text: `insert into scan_jobs (org_id, brand_id, trigger, run_date, idempotency_key, units_total, platforms,
             countries, tracked_brands, brand_as_of, queued_at, charged, traceparent)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, 'none', $12)
           on conflict (brand_id, run_date) where status in ('queued', 'running') do nothing
           returning ${columns}`,
    values: [
      job.org_id,
      job.brand_id,
      job.trigger,
      job.run_date,
      job.idempotency_key,
      job.units_total,
      job.platforms,
      job.countries,
      JSON.stringify(job.tracked_brands),
      job.brand_as_of,
      job.queued_at,
      injectTraceContext<{ traceparent?: string }>({}).traceparent ?? null,
    ],
  });
}

export type OpenJob = { id: string; idempotency_key: string };

export function findOpenJob(db: Queryable, brandId: string, runDate: string): Promise<OpenJob | undefined> {
  return maybeOne<OpenJob>(db, {
    name: 'scans.find_open_job',
    text: `select id, idempotency_key from scan_jobs
           where brand_id = $1 and run_date = $2 and status in ('queued', 'running')`,
    values: [brandId, runDate],
  });
}

export function updateJobCharged(
  db: Queryable,
  id: string,
  { charged, month }: { charged: Charged; month: string | null },
): Promise<JobRow> {
  return one<JobRow>(db, {
    name: 'scans.update_job_charged',
    text: `update scan_jobs set charged = $2, charged_month = $3 where id = $1 returning ${columns}`,
    values: [id, charged, month],
  });
}

export function findJob(
  db: Queryable,
  { id, brandId, orgId }: { id: string; brandId: string; orgId: string },
): Promise<JobRow | undefined> {
  return maybeOne<JobRow>(db, {
    name: 'scans.find_job',
    text: `select ${columns} from scan_jobs where id = $1 and brand_id = $2 and org_id = $3`,
    values: [id, brandId, orgId],
  });
}

/** The fields of a job that a worker needs for each of its units. */
export type JobPlan = Pick<JobRow, 'id' | 'org_id' | 'brand_id' | 'run_date' | 'status'> & {
  traceparent: string | null;
};

export function listJobPlans(db: Queryable, ids: string[]): Promise<JobPlan[]> {
  return many<JobPlan>(db, {
    name: 'scans.list_job_plans',
    text: `select id, org_id, brand_id, run_date, status, traceparent
             from scan_jobs where id = any($1::uuid[])`,
    values: [ids],
  });
}

/** The brands of the plan that queued the job. */
export async function findJobBrands(db: Queryable, id: string): Promise<TrackedBrand[]> {
  const { tracked_brands: brands } = await one<{ tracked_brands: TrackedBrand[] }>(db, {
    name: 'scans.find_job_brands',
    text: 'select tracked_brands from scan_jobs where id = $1',
    values: [id],
  });
  return brands;
}

/**
 * Locks the queued jobs among these, in order of id as in every transaction. `ended`: the brand was archived after the plan,
 * or the organisation was deleted.
 */
export function lockQueuedJobs(tx: Transaction, ids: string[]): Promise<{ id: string; ended: boolean }[]> {
  return many(tx, {
    name: 'scans.lock_queued_jobs',
    // An archived state older than the plan is stale: catalog has restored the brand since.
    text: `select j.id, o.deleted_at is not null
                    or coalesce(b.sunset_at is not null and b.updated_at > j.brand_as_of, false) as ended
             from scan_jobs j left join brands b on b.id = j.brand_id left join orgs o on o.id = j.org_id
            where j.id = any($1::uuid[]) and j.status = 'queued'
            order by j.id
              for update of j`,
    values: [ids],
  });
}

const updateState = (name: string, set: string, where: string, values: unknown[]): NamedQuery => ({
  name,
  text: `update scan_jobs set ${set}, version = version + 1 where ${where} returning ${columns}`,
  values,
});

export function updateJobsRunning(tx: Transaction, ids: string[]): Promise<JobRow[]> {
  const set = `status = 'running', started_at = greatest(queued_at, clock_timestamp())`;
  return many(
    tx,
    updateState('scans.update_jobs_running', set, `id = any($1::uuid[]) and status = 'queued'`, [ids]),
  );
}

const setCancelled = `status = 'cancelled', completed_at = greatest(queued_at, clock_timestamp())`;

export function updateJobsCancelled(tx: Transaction, ids: string[]): Promise<JobRow[]> {
  return many(
    tx,
    updateState('scans.update_jobs_cancelled', setCancelled, `id = any($1::uuid[]) and status = 'queued'`, [
      ids,
    ]),
  );
}

/** Cancels the queued jobs of a brand whose plan is older than its archiving. */
export function updateJobsOfBrandCancelled(
  tx: Transaction,
  brandId: string,
  archivedAsOf: string,
): Promise<JobRow[]> {
  return many(
    tx,
    updateState(
      'scans.update_jobs_of_brand_cancelled',
      setCancelled,
      `brand_id = $1 and status = 'queued' and brand_as_of < $2`,
      [brandId, archivedAsOf],
    ),
  );
}

/** Cancels the queued jobs of a deleted organisation. Locks them in order of id. */
export function updateJobsOfOrgCancelled(tx: Transaction, orgId: string): Promise<JobRow[]> {
  return many(
    tx,
    updateState(
      'scans.update_jobs_of_org_cancelled',
      setCancelled,
      `id = any(array(select id from scan_jobs where org_id = $1 and status = 'queued' order by id for update))`,
      [orgId],
    ),
  );
}

/** The finalised units of a job by outcome. */
export type JobCounts = { id: string; answered: number; noAnswer: number; failed: number };

const hasOpenUnits = `j.units_answered + j.units_no_answer + j.units_failed
  + c.answered + c.no_answer + c.failed < j.units_total`;

/** Counts finalised units in their jobs, which it locks in order of id. The last unit of a job ends it. */
export function updateJobsCounted(tx: Transaction, counts: readonly JobCounts[]): Promise<JobRow[]> {
  return many<JobRow>(tx, {
    name: 'scans.update_jobs_counted',
    text: `with c as (
             select given.* from unnest($1::uuid[], $2::int[], $3::int[], $4::int[])
                 as given (job_id, answered, no_answer, failed)
               join scan_jobs j on j.id = given.job_id
              order by j.id for update of j)
           update scan_jobs j set
             units_answered = j.units_answered + c.answered,
             units_no_answer = j.units_no_answer + c.no_answer,
             units_failed = j.units_failed + c.failed,
             status = case when ${hasOpenUnits} then j.status
                           when j.units_failed + c.failed = 0 then 'completed'
                           when j.units_failed + c.failed = j.units_total then 'failed'
                           else 'partial' end,
             completed_at = case when ${hasOpenUnits} then null else clock_timestamp() end,
             version = j.version + case when ${hasOpenUnits} then 0 else 1 end
             from c where j.id = c.job_id
           returning ${columns}`,
    values: [
      counts.map(({ id }) => id),
      counts.map(({ answered }) => answered),
      counts.map(({ noAnswer }) => noAnswer),
      counts.map(({ failed }) => failed),
    ],
  });
}
