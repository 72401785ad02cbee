import { execute, many, maybeOne, type Queryable } from '@bv/postgres';

/** A lease of a job. Every write of its holder names the fencing token. */
export type Lease = { jobId: string; token: number };

/** A job in progress. */
export type LeasedJob = {
  id: string;
  org_id: string;
  brand_id: string;
  by_operator: boolean;
  from_date: string;
  to_date: string;
  next_day: string | null;
  identity_hash: string | null;
  units_done: number;
  units_changed: number;
  fencing_token: number;
  attempts: number;
  request_id: string;
  traceparent: string | null;
};

const columns = `id, org_id, brand_id, by_operator, from_date, to_date, next_day, identity_hash, units_done, units_changed,
  fencing_token, attempts, request_id, traceparent`;

const leasedFor = (parameter: number): string =>
  `leased_until = clock_timestamp() + make_interval(secs => $${parameter}::float8 / 1000)`;

const isHeld = `id = $1 and fencing_token = $2 and status = 'running'`;

/** Ends the lease: a heartbeat that is late cannot renew it. */
const givenBack = 'fencing_token = fencing_token + 1';

/** Leases the next job that is queued or has no lease: of clients first, then the one that waits longest. */
export function leaseReprocessJob(db: Queryable, leaseMs: number): Promise<LeasedJob | undefined> {
  return maybeOne<LeasedJob>(db, {
    name: 'results.lease_reprocess_job',
    text: `update reprocess_jobs set status = 'running', fencing_token = fencing_token + 1, attempts = attempts + 1,
             ${leasedFor(1)}, started_at = coalesce(started_at, greatest(queued_at, clock_timestamp())),
             progressed_at = coalesce(progressed_at, clock_timestamp())
           where id = (
             select id from reprocess_jobs
             where status in ('queued', 'running') and leased_until <= statement_timestamp()
             order by by_operator, leased_until, id limit 1
             for no key update skip locked)
           returning ${columns}`,
    values: [leaseMs],
  });
}

/** False if the lease was lost: nothing is written. */
const wasHeld = async (updated: Promise<number>): Promise<boolean> => (await updated) === 1;

/** Heartbeat. */
export const updateReprocessLease = (db: Queryable, lease: Lease, leaseMs: number): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.renew_reprocess_lease',
      text: `update reprocess_jobs set ${leasedFor(3)} where ${isHeld}`,
      values: [lease.jobId, lease.token, leaseMs],
    }),
  );

/** Gives a job back whose day is not done: a worker may lease it after `delayMs`. */
export const updateReprocessReleased = (
  db: Queryable,
  lease: Lease,
  { delayMs, countAttempt }: { delayMs: number; countAttempt: boolean },
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.release_reprocess_job',
      text: `update reprocess_jobs set ${givenBack}, ${leasedFor(3)}, attempts = attempts - (not $4::boolean)::int where ${isHeld}`,
      values: [lease.jobId, lease.token, delayMs, countAttempt],
    }),
  );

/** Gives a job back that begins again with another identity. */
export const updateReprocessRestarted = (db: Queryable, lease: Lease, delayMs: number): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.restart_reprocess_job',
      text: `update reprocess_jobs set ${givenBack}, ${leasedFor(3)}, identity_hash = null, attempts = 0 where ${isHeld}`,
      values: [lease.jobId, lease.token, delayMs],
    }),
  );

/** Begins the window with an identity. Returns undefined if the lease was lost. */
export const updateReprocessBegun = (
  db: Queryable,
  lease: Lease,
  { identityHash, unitsTotal }: { identityHash: string; unitsTotal: number },
): Promise<LeasedJob | undefined> =>
  maybeOne<LeasedJob>(db, {
    name: 'results.begin_reprocess_job',
    text: `update reprocess_jobs set identity_hash = $3, next_day = from_date, units_total = $4, units_done = 0,
             units_changed = 0
           where ${isHeld} returning ${columns}`,
    values: [lease.jobId, lease.token, identityHash, unitsTotal],
  });

/** Counts a day that is done and gives the job back: one of a client goes last, one of the operator stays first. */
export const updateReprocessDay = (
  db: Queryable,
  lease: Lease,
  { runDate, done, changed }: { runDate: string; done: number; changed: number },
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.advance_reprocess_job',
      text: `update reprocess_jobs set ${givenBack}, next_day = $3::date + 1, attempts = 0,
               progressed_at = clock_timestamp(), units_done = units_done + $4, units_changed = units_changed + $5,
               units_total = greatest(units_total, units_done + $4),
               leased_until = case when by_operator then queued_at else clock_timestamp() end
             where ${isHeld}`,
      values: [lease.jobId, lease.token, runDate, done, changed],
    }),
  );

/** The units that were deleted meanwhile are in no count of a completed job. */
export const updateReprocessEnded = (
  db: Queryable,
  lease: Lease,
  status: 'completed' | 'failed',
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.end_reprocess_job',
      text: `update reprocess_jobs set status = $3, completed_at = greatest(started_at, clock_timestamp()),
          units_total = case when $3 = 'completed' then units_done else units_total end where ${isHeld}`,
      values: [lease.jobId, lease.token, status],
    }),
  );

export type ReprocessQueue = { status: 'queued' | 'running'; jobs: number; oldest_s: number };

/** The open jobs by status: their number, and the seconds since the oldest was queued or made progress. */
export function countReprocessJobs(db: Queryable): Promise<ReprocessQueue[]> {
  return many<ReprocessQueue>(db, {
    name: 'results.count_reprocess_jobs',
    text: `select status, count(*) as jobs,
             greatest(0, extract(epoch from clock_timestamp() - min(coalesce(progressed_at, queued_at))))::float8
               as oldest_s
           from reprocess_jobs where status in ('queued', 'running') group by status`,
    values: [],
  });
}
