import type { PlatformId } from '@bv/contract';
import { execute, one, type Queryable, type Transaction } from '@bv/postgres';

/** Inserts the missing rate buckets of the platforms; called once at start. */
export function insertRateBuckets(db: Queryable, platforms: readonly PlatformId[]): Promise<number> {
  return execute(db, {
    name: 'scans.insert_rate_buckets',
    text: 'insert into rate_buckets (platform) select unnest($1::text[]) on conflict do nothing',
    values: [platforms],
  });
}

/** Locks a platform's rate bucket. `idle_ms` is the time since its next start was due, negative while it is in the future. */
export function lockRateBucket(tx: Transaction, platform: PlatformId): Promise<{ idle_ms: number }> {
  return one(tx, {
    name: 'scans.lock_rate_bucket',
    text: `select extract(epoch from clock_timestamp() - greatest(next_at, clock_timestamp() - interval '1 hour'))
             ::float8 * 1000 as idle_ms
           from rate_buckets where platform = $1 for update`,
    values: [platform],
  });
}

/** Advances a platform's virtual time and, unless `delayMs` is null, sets its next start, counted from now. */
export function advanceRateBucket(
  db: Queryable,
  platform: PlatformId,
  { virtualTime, delayMs }: { virtualTime: number; delayMs: number | null },
): Promise<number> {
  return execute(db, {
    name: 'scans.update_rate_bucket_leased',
    text: `update rate_buckets set virtual_time = greatest(virtual_time, $2),
             next_at = coalesce(clock_timestamp() + make_interval(secs => $3::float8 / 1000), next_at)
           where platform = $1`,
    values: [platform, virtualTime, delayMs],
  });
}

/** Blocks new requests to a platform for `delayMs`, because its response requested that pause. */
export function pauseRateBucket(db: Queryable, platform: PlatformId, delayMs: number): Promise<number> {
  return execute(db, {
    name: 'scans.update_rate_bucket_paused',
    text: `update rate_buckets
           set next_at = greatest(next_at, clock_timestamp() + make_interval(secs => $2::float8 / 1000))
           where platform = $1`,
    values: [platform, delayMs],
  });
}

/**
 * Locks the organisation's virtual times on the platforms until the transaction ends, so that two scans queued at once
 * get different ones. They continue from the organisation's last virtual time or the platform's, whichever is later.
 */
export function lockVirtualTimes(
  tx: Transaction,
  orgId: string,
  platforms: readonly PlatformId[],
): Promise<number> {
  return execute(tx, {
    name: 'scans.lock_virtual_times',
    text: `insert into virtual_times (org_id, platform, virtual_time)
           select $1, platform, coalesce(b.virtual_time, 0)
             from unnest($2::text[]) as platform left join rate_buckets b using (platform)
            order by platform
           on conflict (org_id, platform) do update set
             virtual_time = greatest(virtual_times.virtual_time, excluded.virtual_time)`,
    values: [orgId, platforms],
  });
}
