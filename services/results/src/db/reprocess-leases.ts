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
  next_day: string;
  is_catching_up: boolean;
  identity_hash: string | null;
  identity_since: string | null;
  units_total: number;
  units_done: number;
  units_changed: number;
  lease_token: number;
  attempts: number;
  restarts: number;
  request_id: string;
  traceparent: string | null;
};

const columns = `id, org_id, brand_id, by_operator, from_date, to_date, next_day, is_catching_up, identity_hash, identity_since, units_total,
  units_done, units_changed, lease_token, attempts, restarts, request_id, traceparent`;

const leasedFor = (parameter: number): string =>
  `leased_until = clock_timestamp() + make_interval(secs => $${parameter}::float8 / 1000)`;

const isHeld = `id = $1 and lease_token = $2 and status = 'running'`;

/** Leases the next job that is queued or has no lease: of clients first, then the one that waits longest. */
export function leaseReprocessJob(db: Queryable, leaseMs: number): Promise<LeasedJob | undefined> {
  return maybeOne<LeasedJob>(db, {
    name: 'results.lease_reprocess_job',
    text: `update reprocess_jobs set status = 'running', lease_token = lease_token + 1, attempts = attempts + 1,
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

/** The job of a lease. Returns undefined if the lease was lost. */
export function findLeasedJob(db: Queryable, lease: Lease): Promise<LeasedJob | undefined> {
  return maybeOne<LeasedJob>(db, {
    name: 'results.find_leased_reprocess_job',
    text: `select ${columns} from reprocess_jobs where ${isHeld}`,
    values: [lease.jobId, lease.token],
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

/** Ends a lease early: a worker may lease the job after `delayMs`. */
export const updateReprocessReleased = (
  db: Queryable,
  lease: Lease,
  { delayMs, countAttempt }: { delayMs: number; countAttempt: boolean },
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.release_reprocess_job',
      text: `update reprocess_jobs set ${leasedFor(3)}, attempts = attempts - (not $4::boolean)::int where ${isHeld}`,
      values: [lease.jobId, lease.token, delayMs, countAttempt],
    }),
  );

/** Ends a turn. Among jobs of clients the job goes last; one of the operator ends before the next one begins. */
export const updateReprocessYielded = (db: Queryable, lease: Lease): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.yield_reprocess_job',
      text: `update reprocess_jobs set leased_until = case when by_operator then queued_at else clock_timestamp() end, attempts = attempts - 1 where ${isHeld}`,
      values: [lease.jobId, lease.token],
    }),
  );

/** Discards the identity, so that the window begins again after `delayMs`. */
export const updateReprocessRestarted = (db: Queryable, lease: Lease, delayMs: number): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.restart_reprocess_job',
      text: `update reprocess_jobs set ${leasedFor(3)}, identity_hash = null, restarts = restarts + 1, attempts = attempts - 1 where ${isHeld}`,
      values: [lease.jobId, lease.token, delayMs],
    }),
  );

/** Begins the window with an identity. `since`: the change token that the caller holds the lock of. */
export const updateReprocessBegun = (
  db: Queryable,
  lease: Lease,
  { identityHash, since, unitsTotal }: { identityHash: string; since: string; unitsTotal: number },
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.begin_reprocess_job',
      text: `update reprocess_jobs set identity_hash = $3, identity_since = $4, units_total = $5, units_done = 0,
          next_day = to_date, is_catching_up = false where ${isHeld}`,
      values: [lease.jobId, lease.token, identityHash, since, unitsTotal],
    }),
  );

/** Begins the second pass, over the days that got units meanwhile. */
export const updateReprocessCatchingUp = (db: Queryable, lease: Lease): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.catch_up_reprocess_job',
      text: `update reprocess_jobs set is_catching_up = true, next_day = to_date where ${isHeld}`,
      values: [lease.jobId, lease.token],
    }),
  );

/** Counts a day that is done. The units of a day in the second pass are counted already. */
export const updateReprocessDay = (
  db: Queryable,
  lease: Lease,
  { runDate, done, changed }: { runDate: string; done: number; changed: number },
): Promise<boolean> =>
  wasHeld(
    execute(db, {
      name: 'results.advance_reprocess_job',
      text: `update reprocess_jobs set next_day = $3::date - 1, attempts = 1, progressed_at = clock_timestamp(), units_changed = units_changed + $5,
          units_done = units_done + case when is_catching_up then 0 else $4::int end,
          units_total = greatest(units_total, units_done + case when is_catching_up then 0 else $4::int end) where ${isHeld}`,
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
