import type { DateWindow, ReprocessJob } from '@bv/contract';
import { execute, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import { injectTraceContext } from '@bv/telemetry';

/** A job as clients see it. */
export type ReprocessJobRow = {
  id: string;
  brand_id: string;
  status: ReprocessJob['status'];
  from_date: string;
  to_date: string;
  units_total: number;
  units_done: number;
  units_changed: number;
  queued_at: string;
  started_at: string | null;
  completed_at: string | null;
};

const columns = `id, brand_id, status, from_date, to_date, units_total, units_done, units_changed, queued_at,
  started_at, completed_at`;

const isOpen = `status in ('queued', 'running')`;

const currentTrace = (): string | null =>
  injectTraceContext<{ traceparent?: string }>({}).traceparent ?? null;

type NewJob = { id: string; orgId: string; brandId: string; window: DateWindow; requestId: string };

/**
 * Queues a job, or takes over one of the operator that no worker has begun: its window then holds both. Returns undefined
 * if the brand has another open job, also by a concurrent insert.
 */
export function insertReprocessJob(tx: Transaction, job: NewJob): Promise<ReprocessJobRow | undefined> {
  const { id, orgId, brandId, window, requestId } = job;
  return maybeOne<ReprocessJobRow>(tx, {
    name: 'results.insert_reprocess_job',
    text: `insert into reprocess_jobs as j (id, org_id, brand_id, from_date, to_date, by_operator, request_id,
             traceparent)
           values ($1, $2, $3, $4, $5, false, $6, $7)
           on conflict (brand_id) where ${isOpen} do update set
             from_date = least(j.from_date, excluded.from_date), to_date = greatest(j.to_date, excluded.to_date),
             by_operator = false, queued_at = excluded.queued_at,
             leased_until = excluded.leased_until, request_id = excluded.request_id, traceparent = excluded.traceparent
           where j.by_operator and j.status = 'queued'
           returning ${columns}`,
    values: [id, orgId, brandId, window.from, window.to, requestId, currentTrace()],
  });
}

/** Queues a job for every own brand, of one organisation if `orgId` is given. A brand with an open job keeps it. */
export function insertReprocessJobs(
  tx: Transaction,
  { orgId, window, requestId }: { orgId: string | null; window: DateWindow; requestId: string },
): Promise<{ queued: number; in_progress: number }> {
  return one(tx, {
    name: 'results.insert_reprocess_jobs',
    text: `with own as (
             select id, org_id from brands where is_own and ($1::uuid is null or org_id = $1)
           ), added as (
             insert into reprocess_jobs (id, org_id, brand_id, from_date, to_date, by_operator, request_id,
               traceparent)
             select gen_random_uuid(), org_id, id, $2, $3, true, $4, $5 from own order by id
             on conflict (brand_id) where ${isOpen} do nothing
             returning 1
           )
           select (select count(*) from added) as queued,
             (select count(*) from own) - (select count(*) from added) as in_progress`,
    values: [orgId, window.from, window.to, requestId, currentTrace()],
  });
}

export async function findOpenReprocessJobId(db: Queryable, brandId: string): Promise<string | undefined> {
  const row = await maybeOne<{ id: string }>(db, {
    name: 'results.find_open_reprocess_job',
    text: `select id from reprocess_jobs where brand_id = $1 and ${isOpen}`,
    values: [brandId],
  });
  return row?.id;
}

export function findReprocessJob(
  db: Queryable,
  { id, orgId, brandId }: { id: string; orgId: string; brandId: string },
): Promise<ReprocessJobRow | undefined> {
  return maybeOne<ReprocessJobRow>(db, {
    name: 'results.find_reprocess_job',
    text: `select ${columns} from reprocess_jobs where id = $1 and brand_id = $2 and org_id = $3`,
    values: [id, brandId, orgId],
  });
}

/** Deletes jobs that ended before `olderThanDays`. */
export function deleteOldReprocessJobs(db: Queryable, olderThanDays: number, limit: number): Promise<number> {
  return execute(db, {
    name: 'results.delete_old_reprocess_jobs',
    text: `delete from reprocess_jobs where id in (
             select id from reprocess_jobs where completed_at < now() - make_interval(days => $1)
             order by completed_at limit $2)`,
    values: [olderThanDays, limit],
  });
}
