import type { EventData, orgChanged } from '@bv/events';
import { execute, type Queryable } from '@bv/postgres';

/** Stores an organisation's state if its version is newer. Returns the number of changed rows. */
export function upsertOrg(
  db: Queryable,
  org: EventData<typeof orgChanged>,
  version: number,
): Promise<number> {
  return execute(db, {
    name: 'scans.upsert_org',
    text: `insert into orgs (id, tier, on_demand_scans, manual_scans, deleted_at, version)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (id) do update set
             tier = excluded.tier, on_demand_scans = excluded.on_demand_scans, manual_scans = excluded.manual_scans,
             deleted_at = excluded.deleted_at, version = excluded.version
           where orgs.version < excluded.version`,
    values: [org.id, org.tier, org.on_demand_scans, org.limits.manual_scans, org.deleted_at, version],
  });
}
