import type { brandChanged, EventData } from '@bv/events';
import { execute, many, type Queryable } from '@bv/postgres';

export type BrandInput = EventData<typeof brandChanged> & { slot_second: number; version: number };

/** Stores a brand's state if its version is newer. Returns the number of changed rows. */
export function upsertBrand(db: Queryable, brand: BrandInput): Promise<number> {
  return execute(db, {
    name: 'scans.upsert_brand',
    text: `insert into brands (id, org_id, is_own, sunset_at, created_at, updated_at, slot_second, version, name, domain,
             aliases, match, competitor_ids)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           on conflict (id) do update set
             is_own = excluded.is_own, sunset_at = excluded.sunset_at, updated_at = excluded.updated_at,
             version = excluded.version, name = excluded.name, domain = excluded.domain, aliases = excluded.aliases,
             match = excluded.match, competitor_ids = excluded.competitor_ids
           where brands.version < excluded.version`,
    values: [
      brand.id,
      brand.org_id,
      brand.is_own,
      brand.sunset_at,
      brand.created_at,
      brand.updated_at,
      brand.slot_second,
      brand.version,
      brand.name,
      brand.domain,
      brand.aliases,
      JSON.stringify(brand.match),
      brand.competitors.map(({ id }) => id),
    ],
  });
}

/** The version of a brand; null if it is not stored. */
export type BrandVersion = { id: string; version: number | null };

/** By own brand: the brand itself, then its linked competitors in order. Own brands that are not stored are missing. */
export async function listTrackedVersions(
  db: Queryable,
  ownIds: readonly string[],
): Promise<Map<string, BrandVersion[]>> {
  const rows = await many<BrandVersion & { own_id: string }>(db, {
    name: 'scans.list_tracked_versions',
    text: `select own.id as own_id, tracked.id, b.version
             from brands own
               cross join lateral unnest(own.id || own.competitor_ids) with ordinality as tracked (id, place)
               left join brands b on b.id = tracked.id
            where own.id = any($1::uuid[])
            order by own.id, tracked.place`,
    values: [ownIds],
  });
  return Map.groupBy(rows, ({ own_id: ownId }) => ownId);
}

export type BrandIdentity = Pick<
  BrandInput,
  'id' | 'is_own' | 'name' | 'domain' | 'aliases' | 'match' | 'version'
>;

/** In no particular order. */
export function listBrandIdentities(db: Queryable, ids: readonly string[]): Promise<BrandIdentity[]> {
  return many<BrandIdentity>(db, {
    name: 'scans.list_brand_identities',
    text: `select id, is_own, name, domain, aliases, match, version from brands
           where id = any($1::uuid[])`,
    values: [ids],
  });
}

export type DueBrand = { id: string; org_id: string; slot_second: number };

/**
 * Own brands whose daily scan is due and has no schedule run yet, the oldest slot first. A brand created after today's
 * slot waits for tomorrow's. `after` is the last brand of the previous page.
 */
export function listBrandsDue(
  db: Queryable,
  {
    runDate,
    second,
    after,
    limit,
  }: { runDate: string; second: number; after: DueBrand | null; limit: number },
): Promise<DueBrand[]> {
  return many<DueBrand>(db, {
    name: 'scans.list_brands_due',
    text: `select b.id, b.org_id, b.slot_second
             from brands b left join orgs o on o.id = b.org_id
            where b.is_own and b.sunset_at is null and b.slot_second <= $2
              and b.created_at < $1::date::timestamp at time zone 'UTC' + make_interval(secs => b.slot_second)
              and o.deleted_at is null
              and not exists (select from schedule_runs r where r.brand_id = b.id and r.run_date = $1::date)
              and ($4::uuid is null or (b.slot_second, b.id) > ($3, $4))
            order by b.slot_second, b.id
            limit $5`,
    values: [runDate, second, after?.slot_second ?? 0, after?.id ?? null, limit],
  });
}

/**
 * Reserves the brand's scan of the day. Returns whether this call was the first. The lock of the brand's row keeps a purge
 * from deleting it meanwhile. A brand that a purge has deleted gets no run.
 */
export async function insertScheduleRun(db: Queryable, brandId: string, runDate: string): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'scans.insert_schedule_run',
    text: `insert into schedule_runs (brand_id, run_date)
           select id, $2 from brands where id = $1 for key share
           on conflict do nothing`,
    values: [brandId, runDate],
  });
  return inserted === 1;
}

export function deleteScheduleRunsBefore(db: Queryable, runDate: string): Promise<number> {
  return execute(db, {
    name: 'scans.delete_schedule_runs',
    text: 'delete from schedule_runs where run_date < $1',
    values: [runDate],
  });
}
