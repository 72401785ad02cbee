import type { PlatformId } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import { execute, many, type NamedQuery, type Queryable, type Transaction } from '@bv/postgres';

export type UnitRow = {
  id: string;
  job_id: string;
  prompt_id: string;
  prompt_text: string;
  platform: PlatformId;
  country: string;
  attempts: number;
  fencing_token: number;
  /** Virtual time in the platform's fair queue. */
  virtual_time: number;
};

/**
 * Inserts a unit for every prompt, country and platform. Postgres expands the product, because it may be large. Each
 * unit gets its own next virtual time of the organisation. However many scans an organisation has queued, it is served
 * once in a round of a platform. Call `lockVirtualTimes` first.
 */
export function insertUnits(
  tx: Transaction,
  { id, org_id: orgId }: { id: string; org_id: string },
  prompts: ScanPlan['prompts'],
): Promise<number> {
  return execute(tx, {
    name: 'scans.insert_units',
    text: `with expanded as (
             select p.id, p.text, platform, country, row_number() over (partition by platform) as number
               from jsonb_to_recordset($3::jsonb) as p (id uuid, text text, countries text[], platforms text[])
                 cross join unnest(p.platforms) as platform cross join unnest(p.countries) as country),
           reserved as (
             update virtual_times t set virtual_time = t.virtual_time + added.units
               from (select platform, count(*) as units from expanded group by platform) as added
              where t.org_id = $2 and t.platform = added.platform
             returning t.platform, t.virtual_time - added.units as virtual_time)
           insert into scan_units (job_id, prompt_id, prompt_text, platform, country, virtual_time)
           select $1, expanded.id, expanded.text, platform, country, reserved.virtual_time + number
             from expanded join reserved using (platform)`,
    values: [id, orgId, JSON.stringify(prompts)],
  });
}

export type MarketUnits = { country: string; platform: PlatformId; total: number; failed: number };

/** The units of a job by market and platform. */
export function listUnitsByMarket(db: Queryable, jobId: string): Promise<MarketUnits[]> {
  return many<MarketUnits>(db, {
    name: 'scans.list_units_by_market',
    text: `select country, platform, count(*) as total, count(*) filter (where status = 'failed') as failed
             from scan_units where job_id = $1 group by country, platform order by country, platform`,
    values: [jobId],
  });
}

// statement_timestamp() allows an index search. Postgres would evaluate clock_timestamp() for every row.
const due = 'next_attempt_at <= statement_timestamp()';

export type DuePlatform = {
  platform: PlatformId;
  /** Whether a unit is running whose lease has ended. */
  has_ended_leases: boolean;
};

/** Platforms with a unit that is due: pending, or running with a lease that has ended. */
export function listDuePlatforms(db: Queryable, platforms: readonly PlatformId[]): Promise<DuePlatform[]> {
  return many<DuePlatform>(db, duePlatformsQuery(platforms));
}

/**
 * Finds the first unit of each platform by the order of an index. `exists` would read the whole table for a platform
 * without units: if most units are pending, the planner expects an early match.
 */
export function duePlatformsQuery(platforms: readonly PlatformId[]): NamedQuery {
  const first = (status: 'pending' | 'running', order: string): string =>
    `(select id from scan_units u where u.platform = platform.platform and status = '${status}' and ${due}
      order by ${order} limit 1)`;
  return {
    name: 'scans.list_due_platforms',
    text: `select platform, ended.id is not null as has_ended_leases
             from unnest($1::text[]) as platform
               left join lateral ${first('running', 'next_attempt_at')} ended on true
               left join lateral ${first('pending', 'virtual_time, next_attempt_at')} pending on true
            where ended.id is not null or pending.id is not null`,
    values: [platforms],
  };
}

/**
 * Gives each running unit of a platform whose lease has ended a period of grace, once. A worker whose leases ended while
 * the database was unavailable renews them in that time. `held` are the units of the calling worker.
 */
export function updateEndedLeases(
  tx: Transaction,
  { platform, graceMs, held }: { platform: PlatformId; graceMs: number; held: readonly string[] },
): Promise<number> {
  return execute(tx, {
    name: 'scans.update_ended_leases',
    text: `update scan_units set lease_ended_at = statement_timestamp(),
             next_attempt_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
           where id = any (array(
             select id from scan_units
              where platform = $1 and status = 'running' and ${due} and lease_ended_at is null
                and id <> all ($3::uuid[])
                for update skip locked))`,
    values: [platform, graceMs, held],
  });
}

export type LeaseOptions = {
  platform: PlatformId;
  limit: number;
  concurrency: number;
  leaseMs: number;
  /** Without it, units of lost workers still count as running. */
  takeOver: boolean;
  /** The units of the calling worker, which it never leases again. */
  held: readonly string[];
  /** Those of them whose attempt has ended. They make no call, unless another worker took one of them over. */
  attempted: readonly string[];
};

/**
 * Leases due units of a platform within its concurrency over all replicas: units of lost workers first, then by virtual
 * time. A worker is lost if it has not renewed its lease in the period of grace either. The caller holds the lock of the
 * platform's rate bucket, so that the count of live leases stays valid.
 */
export function leaseUnits(tx: Transaction, options: LeaseOptions): Promise<UnitRow[]> {
  return many<UnitRow>(tx, leaseUnitsQuery(options));
}

const isLost = `$5 and ${due} and lease_ended_at is not null and id <> all ($6::uuid[])`;

// The ids are an array: with a join the planner cannot estimate their number and reads the whole table.
export function leaseUnitsQuery(options: LeaseOptions): NamedQuery {
  const { platform, limit, concurrency, leaseMs, takeOver, held, attempted } = options;
  return {
    name: 'scans.lease_units',
    text: `with room as (
             select greatest(0, least($2::int, $3::int - count(*)))::int as units from scan_units
             where platform = $1 and status = 'running' and (${isLost}) is not true and id <> all ($7::uuid[])),
           lost as (
             select id from scan_units where platform = $1 and status = 'running' and ${isLost}
             order by next_attempt_at limit (select units from room) for update skip locked),
           waiting as (
             select id from scan_units where platform = $1 and status = 'pending' and ${due}
             order by virtual_time limit (select units - (select count(*) from lost) from room) for update skip locked)
           update scan_units u set
             status = 'running', attempts = attempts + 1, fencing_token = fencing_token + 1, lease_ended_at = null,
             next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
           where u.id = any (array(select id from lost union all select id from waiting))
           returning u.id, job_id, prompt_id, prompt_text, platform, country, attempts, fencing_token, virtual_time`,
    values: [platform, limit, concurrency, leaseMs, takeOver, takeOver ? held : [], attempted],
  };
}

/** Deletes units of cancelled jobs; called when a worker leases them. */
export function deleteUnits(tx: Transaction, ids: string[]): Promise<number> {
  return execute(tx, {
    name: 'scans.delete_units',
    text: 'delete from scan_units where id = any($1::uuid[])',
    values: [ids],
  });
}

/** A unit under the fencing token of its lease. */
export type LeasedUnit = Pick<UnitRow, 'id' | 'fencing_token'>;

/** Heartbeat: extends the leases of these units. Locks them in order of id, as every transaction that waits for several. */
export function updateLeases(db: Queryable, leased: readonly LeasedUnit[], leaseMs: number): Promise<number> {
  return execute(db, {
    name: 'scans.update_leases',
    text: `with held as (
             select u.id from unnest($1::uuid[], $2::bigint[]) as leased (id, fencing_token)
               join scan_units u on u.id = leased.id and u.fencing_token = leased.fencing_token and u.status = 'running'
              order by u.id for update of u)
           update scan_units u set lease_ended_at = null,
             next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
             from held where u.id = held.id`,
    values: [leased.map(({ id }) => id), leased.map(({ fencing_token }) => fencing_token), leaseMs],
  });
}

export type FinalisedRow = LeasedUnit & {
  status: 'answered' | 'no_answer' | 'failed';
  costUsd: number | null;
  latencyMs: number | null;
  errorKind: string | null;
  sentimentMethod: 'lexicon' | 'llm' | null;
};

/**
 * Finalises units. Returns the time of each, in the order of `rows`: undefined if another worker holds the lease now, as
 * that worker's result counts.
 */
export async function updateUnitsFinalised(
  tx: Transaction,
  rows: readonly FinalisedRow[],
): Promise<(string | undefined)[]> {
  const finalised = await many<{ place: number; finalized_at: string }>(tx, {
    name: 'scans.update_units_finalised',
    text: `with held as (
             select u.id, o.* from unnest($1::uuid[], $2::bigint[], $3::text[], $4::numeric[], $5::int[], $6::text[],
                 $7::text[]) with ordinality as o (unit_id, fencing_token, status, cost_usd, latency_ms, error_kind,
                 sentiment_method, place)
               join scan_units u on u.id = o.unit_id and u.fencing_token = o.fencing_token and u.status = 'running'
              order by u.id for update of u)
           update scan_units u set status = held.status, cost_usd = held.cost_usd, latency_ms = held.latency_ms,
             error_kind = held.error_kind, sentiment_method = held.sentiment_method,
             finalized_at = clock_timestamp()
             from held where u.id = held.id
           returning held.place, u.finalized_at`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ fencing_token }) => fencing_token),
      rows.map(({ status }) => status),
      rows.map(({ costUsd }) => costUsd),
      rows.map(({ latencyMs }) => latencyMs),
      rows.map(({ errorKind }) => errorKind),
      rows.map(({ sentimentMethod }) => sentimentMethod),
    ],
  });
  const times = new Map(finalised.map(({ place, finalized_at: time }) => [place, time]));
  return rows.map((_, index) => times.get(index + 1));
}

/** Returns a unit to the queue for another attempt. Returns false if another worker holds the lease now. */
export async function updateUnitPending(
  tx: Transaction,
  { id, fencing_token }: LeasedUnit,
  { delayMs, errorKind, countAttempt }: { delayMs: number; errorKind: string | null; countAttempt: boolean },
): Promise<boolean> {
  const updated = await execute(tx, {
    name: 'scans.update_unit_pending',
    text: `update scan_units set status = 'pending', error_kind = $4, attempts = attempts - (not $5::boolean)::int,
             lease_ended_at = null, next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
           where id = $1 and fencing_token = $2 and status = 'running'`,
    values: [id, fencing_token, delayMs, errorKind, countAttempt],
  });
  return updated === 1;
}

export type QueueState = { platform: PlatformId; pending: number; running: number; oldest_due_s: number };

/**
 * The open units of each platform and the seconds since the oldest due unit became due. A unit with an expired lease is
 * due too.
 */
export function countQueue(db: Queryable): Promise<QueueState[]> {
  return many<QueueState>(db, countQueueQuery);
}

/** One branch per partial index: `status in (...)` would match neither, and read the units of all ended jobs. */
export const countQueueQuery: NamedQuery = {
  name: 'scans.count_queue',
  text: `select platform, count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'running') as running,
             greatest(0, coalesce(extract(epoch from clock_timestamp() -
               min(next_attempt_at)), 0))::float8 as oldest_due_s
           from (select platform, status, next_attempt_at from scan_units where status = 'pending'
                 union all
                 select platform, status, next_attempt_at from scan_units where status = 'running') open
           group by platform`,
  values: [],
};

/** Deletes units of jobs that ended before `olderThanDays`. The results service keeps their results. */
export function deleteOldUnits(db: Queryable, olderThanDays: number, limit: number): Promise<number> {
  return execute(db, {
    name: 'scans.delete_old_units',
    text: `delete from scan_units where id in (
             select u.id from scan_jobs j join scan_units u on u.job_id = j.id
             where j.status not in ('queued', 'running') and j.completed_at < now() - make_interval(days => $1)
               and j.completed_at > now() - make_interval(days => $1 + 90)
             limit $2)`,
    values: [olderThanDays, limit],
  });
}
