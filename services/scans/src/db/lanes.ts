import type { PlatformId } from '@bv/contract';
import { execute, one, type Queryable, type Transaction } from '@bv/postgres';

/** The platforms' rows; called once at start. */
export function insertLanes(db: Queryable, platforms: readonly PlatformId[]): Promise<number> {
  return execute(db, {
    name: 'scans.insert_lanes',
    text: 'insert into platform_lanes (platform) select unnest($1::text[]) on conflict do nothing',
    values: [platforms],
  });
}

/** Locks a platform's lane; `idle_ms` is how long ago its next start was due, negative while it has to wait. */
export function lockLane(tx: Transaction, platform: PlatformId): Promise<{ idle_ms: number }> {
  return one(tx, {
    name: 'scans.lock_lane',
    text: `select extract(epoch from clock_timestamp() - greatest(next_at, clock_timestamp() - interval '1 hour'))
             ::float8 * 1000 as idle_ms
           from platform_lanes where platform = $1 for update`,
    values: [platform],
  });
}

/** Moves a lane on to the turn it has come to and, where it has a pace, its next start from now. */
export function updateLaneClaimed(
  db: Queryable,
  platform: PlatformId,
  { turn, delayMs }: { turn: number; delayMs: number | null },
): Promise<number> {
  return execute(db, {
    name: 'scans.update_lane_claimed',
    text: `update platform_lanes set turn = greatest(turn, $2),
             next_at = coalesce(clock_timestamp() + make_interval(secs => $3::float8 / 1000), next_at)
           where platform = $1`,
    values: [platform, turn, delayMs],
  });
}

/** Holds a platform that has said when it may be asked again. */
export function updateLaneHeld(db: Queryable, platform: PlatformId, delayMs: number): Promise<number> {
  return execute(db, {
    name: 'scans.update_lane_held',
    text: `update platform_lanes
           set next_at = greatest(next_at, clock_timestamp() + make_interval(secs => $2::float8 / 1000))
           where platform = $1`,
    values: [platform, delayMs],
  });
}

/**
 * Locks the organisation's turns on the platforms until the transaction ends: two scans of it queued at once take their
 * turns one after the other. They go on from the last it was given, or from where the lane is if that is further on.
 */
export function lockTurns(tx: Transaction, orgId: string, platforms: readonly PlatformId[]): Promise<number> {
  return execute(tx, {
    name: 'scans.lock_turns',
    text: `insert into org_turns (org_id, platform, turn)
           select $1, platform, coalesce(l.turn, 0)
             from unnest($2::text[]) as platform left join platform_lanes l using (platform)
            order by platform
           on conflict (org_id, platform) do update set turn = greatest(org_turns.turn, excluded.turn)`,
    values: [orgId, platforms],
  });
}
