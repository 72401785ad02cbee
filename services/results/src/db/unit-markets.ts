import { execute, one, type Queryable } from '@bv/postgres';

type UnitMarket = { brand_id: string; platform: string; country: string };

/** Records the platforms and markets of new units. The caller holds the locks of the token rows of their brands. */
export function insertUnitMarkets(db: Queryable, units: readonly UnitMarket[]): Promise<number> {
  return execute(db, {
    name: 'results.insert_unit_markets',
    text: `insert into unit_markets (brand_id, platform, country)
           select distinct brand_id, platform, country
           from unnest($1::uuid[], $2::text[], $3::text[]) as m (brand_id, platform, country)
           on conflict do nothing`,
    values: [units.map((u) => u.brand_id), units.map((u) => u.platform), units.map((u) => u.country)],
  });
}

type Filters = { platform: string | null; country: string | null };

/** Whether any unit of a brand matches the filters, on any day. */
export async function hasUnits(db: Queryable, brandId: string, filters: Filters): Promise<boolean> {
  const { platform, country } = filters;
  if (platform === null && country === null) return true;
  const { found } = await one<{ found: boolean }>(db, {
    name: 'results.has_units',
    text: `select exists (select 1 from unit_markets where brand_id = $1
             and ($2::text is null or platform = $2) and ($3::text is null or country = $3)) as found`,
    values: [brandId, platform, country],
  });
  return found;
}
