import type { PlatformId } from '@bv/contract';
import type { ScanPlan } from '@bv/events';
import { execute, many, maybeOne, type NamedQuery, type Queryable, type Transaction } from '@bv/postgres';

export type UnitRow = {
  id: string;
  job_id: string;
  prompt_id: string;
  prompt_text: string;
  platform: PlatformId;
  country: string;
  attempts: number;
  fence: number;
  turn: number;
};

/**
 * Every prompt in each of its countries on each of its platforms; spread out by Postgres, for they are many. They get
 * the organisation's next turns, each its own: whatever number of scans and brands an organisation has queued, it is
 * served once in a round of a platform, like any other. `lockTurns` comes first.
 */
export function insertUnits(
  tx: Transaction,
  { id, org_id: orgId }: { id: string; org_id: string },
  prompts: ScanPlan['prompts'],
): Promise<number> {
  return execute(tx, {
    name: 'scans.insert_units',
    text: `with asked as (
             select p.id, p.text, platform, country, row_number() over (partition by platform) as place
               from jsonb_to_recordset($3::jsonb) as p (id uuid, text text, countries text[], platforms text[])
                 cross join unnest(p.platforms) as platform cross join unnest(p.countries) as country),
           taken as (
             update org_turns t set turn = t.turn + added.units
               from (select platform, count(*) as units from asked group by platform) as added
              where t.org_id = $2 and t.platform = added.platform
             returning t.platform, t.turn - added.units as turn)
           insert into scan_units (job_id, prompt_id, prompt_text, platform, country, turn)
           select $1, asked.id, asked.text, platform, country, taken.turn + place
             from asked join taken using (platform)`,
    values: [id, orgId, JSON.stringify(prompts)],
  });
}

// The statement's time, for an index can be searched with it; clock_timestamp() would be compared row by row.
const due = 'next_attempt_at <= statement_timestamp()';

/** Platforms with a unit to be claimed: pending and due, or of a worker that was lost. */
export async function listDuePlatforms(
  db: Queryable,
  platforms: readonly PlatformId[],
): Promise<PlatformId[]> {
  const rows = await many<{ platform: PlatformId }>(db, {
    name: 'scans.list_due_platforms',
    text: `select platform from unnest($1::text[]) as platform
           where exists (select from scan_units u
                         where u.platform = platform.platform and status = 'pending' and ${due})
              or exists (select from scan_units u
                         where u.platform = platform.platform and status = 'running' and ${due})`,
    values: [platforms],
  });
  return rows.map((row) => row.platform);
}

export type ClaimOptions = {
  platform: PlatformId;
  limit: number;
  concurrency: number;
  leaseMs: number;
  /** Without it, units whose lease ended still count as running. */
  takeOver: boolean;
};

/**
 * Claims due units of a platform, no more than its concurrency leaves room for over all replicas: those of lost
 * workers first, then by turn. The caller holds the platform's lane, so that what is counted here stays true.
 */
export function claimUnits(tx: Transaction, options: ClaimOptions): Promise<UnitRow[]> {
  return many<UnitRow>(tx, claimUnitsQuery(options));
}

// The ids as an array: joined, their number could not be foreseen and the whole table would be read for them.
export function claimUnitsQuery({
  platform,
  limit,
  concurrency,
  leaseMs,
  takeOver,
}: ClaimOptions): NamedQuery {
  return {
    name: 'scans.claim_units',
    text: `with room as (
             select greatest(0, least($2::int, $3::int - count(*)))::int as units from scan_units
             where platform = $1 and status = 'running'
               and (not $5::boolean or next_attempt_at > statement_timestamp())),
           lost as (
             select id from scan_units where $5 and platform = $1 and status = 'running' and ${due}
             order by next_attempt_at limit (select units from room) for update skip locked),
           waiting as (
             select id from scan_units where platform = $1 and status = 'pending' and ${due}
             order by turn limit (select units - (select count(*) from lost) from room) for update skip locked)
           update scan_units u set
             status = 'running', attempts = attempts + 1, fence = fence + 1,
             next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
           where u.id = any (array(select id from lost union all select id from waiting))
           returning u.id, job_id, prompt_id, prompt_text, platform, country, attempts, fence, turn`,
    values: [platform, limit, concurrency, leaseMs, takeOver],
  };
}

/** Units of jobs that were cancelled leave the queue when they come up for work. */
export function deleteUnits(tx: Transaction, ids: string[]): Promise<number> {
  return execute(tx, {
    name: 'scans.delete_units',
    text: 'delete from scan_units where id = any($1::uuid[])',
    values: [ids],
  });
}

/** A unit as its worker holds it. */
export type Held = Pick<UnitRow, 'id' | 'fence'>;

/** A sign of life of the worker that holds these units. */
export function updateLeases(db: Queryable, held: readonly Held[], leaseMs: number): Promise<number> {
  return execute(db, {
    name: 'scans.update_leases',
    text: `update scan_units u set next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
             from unnest($1::uuid[], $2::bigint[]) as held (id, fence)
            where u.id = held.id and u.fence = held.fence and u.status = 'running'`,
    values: [held.map(({ id }) => id), held.map(({ fence }) => fence), leaseMs],
  });
}

export type UnitEnd = {
  status: 'answered' | 'no_answer' | 'failed';
  costUsd: number | null;
  latencyMs: number | null;
  errorKind: string | null;
  sentimentMethod: 'lexicon' | 'llm' | null;
};

/** Ends a unit; undefined where the lease was lost to another worker, whose word then counts. */
export function updateUnitEnded(
  tx: Transaction,
  { id, fence }: Held,
  end: UnitEnd,
): Promise<{ finalized_at: string } | undefined> {
  return maybeOne(tx, {
    name: 'scans.update_unit_ended',
    text: `update scan_units set status = $3, cost_usd = $4, latency_ms = $5, error_kind = $6,
             sentiment_method = $7, finalized_at = clock_timestamp()
           where id = $1 and fence = $2 and status = 'running' returning finalized_at`,
    values: [id, fence, end.status, end.costUsd, end.latencyMs, end.errorKind, end.sentimentMethod],
  });
}

/** Puts a unit back into the queue for another attempt. */
export function updateUnitPending(
  db: Queryable,
  { id, fence }: Held,
  { delayMs, errorKind, countAttempt }: { delayMs: number; errorKind: string | null; countAttempt: boolean },
): Promise<number> {
  return execute(db, {
    name: 'scans.update_unit_pending',
    text: `update scan_units set status = 'pending', error_kind = $4, attempts = attempts - (not $5::boolean)::int,
             next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
           where id = $1 and fence = $2 and status = 'running'`,
    values: [id, fence, delayMs, errorKind, countAttempt],
  });
}

export type QueueState = { platform: PlatformId; pending: number; running: number; oldest_due_s: number };

/** The open units of each platform and how long the one longest due has waited; one whose worker is lost is due too. */
export function countQueue(db: Queryable): Promise<QueueState[]> {
  return many<QueueState>(db, {
    name: 'scans.count_queue',
    text: `select platform, count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'running') as running,
             greatest(0, coalesce(extract(epoch from clock_timestamp() -
               min(next_attempt_at)), 0))::float8 as oldest_due_s
           from scan_units where status in ('pending', 'running') group by platform`,
    values: [],
  });
}

/** Units of jobs that ended long ago: results keeps what they found. */
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
