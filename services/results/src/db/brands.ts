import type { MatchRules } from '@bv/contract';
import { execute, many, maybeOne, one, type Queryable } from '@bv/postgres';
import type { KeptDays } from '../domain/retention.ts';

export type BrandRow = {
  id: string;
  org_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  sunset_at: string | null;
  competitor_ids: string[];
};

/** What a brand is found by in answers, besides its name and domain. */
export type BrandIdentity = { aliases: string[]; match: MatchRules };

const columns = 'id, org_id, name, domain, is_own, external_ref, geography, sunset_at, competitor_ids';

export function findBrand(db: Queryable, id: string): Promise<BrandRow | undefined> {
  return maybeOne<BrandRow>(db, {
    name: 'results.find_brand',
    text: `select ${columns} from brands where id = $1`,
    values: [id],
  });
}

/** Brands by id, for names and domains of the brands found in answers. */
export function listBrandsByIds(db: Queryable, ids: string[]): Promise<BrandRow[]> {
  return many<BrandRow>(db, {
    name: 'results.list_brands_by_ids',
    text: `select ${columns} from brands where id = any($1::uuid[]) order by id`,
    values: [ids],
  });
}

/** Gives rows the current names and domains of their brands. A brand that is not projected keeps those of the row. */
export async function nameBrands<Row extends Pick<BrandRow, 'name' | 'domain'> & { brand_id: string }>(
  db: Queryable,
  rows: Row[],
): Promise<Row[]> {
  if (rows.length === 0) return rows;
  const brands = await listBrandsByIds(db, [...new Set(rows.map((row) => row.brand_id))]);
  const byId = new Map(brands.map((brand) => [brand.id, brand]));
  for (const row of rows) {
    const { name, domain } = byId.get(row.brand_id) ?? row;
    Object.assign(row, { name, domain });
  }
  return rows;
}

/** Locks a brand's row until the transaction ends, and returns what results show of it. */
export function lockBrand(
  db: Queryable,
  id: string,
): Promise<{ name: string; domain: string; sunset_at: string | null; version: number } | undefined> {
  return maybeOne(db, {
    name: 'results.lock_brand',
    text: 'select name, domain, sunset_at, version from brands where id = $1 for update',
    values: [id],
  });
}

/** Stores a brand's state if it is newer than the stored one. Returns the number of rows written: 0 or 1. */
export function upsertBrand(
  db: Queryable,
  brand: BrandRow & BrandIdentity & { version: number },
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_brand',
    text: `insert into brands (${columns}, aliases, match, version)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
           on conflict (id) do update set
             name = excluded.name, domain = excluded.domain, is_own = excluded.is_own,
             external_ref = excluded.external_ref, geography = excluded.geography,
             sunset_at = excluded.sunset_at, competitor_ids = excluded.competitor_ids,
             aliases = excluded.aliases, match = excluded.match, version = excluded.version
           where brands.version < excluded.version`,
    values: [
      brand.id,
      brand.org_id,
      brand.name,
      brand.domain,
      brand.is_own,
      brand.external_ref,
      brand.geography,
      brand.sunset_at,
      brand.competitor_ids,
      brand.aliases,
      JSON.stringify(brand.match),
      brand.version,
    ],
  });
}

/** Own brands that track a competitor, by id. */
export function listBrandsTracking(
  db: Queryable,
  competitorId: string,
): Promise<{ id: string; org_id: string }[]> {
  return many(db, {
    name: 'results.list_brands_tracking',
    text: 'select id, org_id from brands where competitor_ids @> array[$1::uuid] order by id',
    values: [competitorId],
  });
}

export type BrandToken = KeptDays & { changed_at: string; version: number; finalising: boolean };

/**
 * Moves the change token of a brand and locks its row until the transaction ends, so that writers of one brand's
 * results run one after the other. `changed_at` strictly increases even if the clock does not. Its expression is
 * immutable, because Citus runs no other one on a worker.
 */
export function moveBrandToken(
  db: Queryable,
  brand: { id: string; orgId: string },
): Promise<KeptDays & { changed_at: string; version: number }> {
  return one(db, {
    name: 'results.move_brand_token',
    text: `insert into brand_tokens (brand_id, org_id, changed_at, version) values ($1, $2, clock_timestamp(), 1)
           on conflict (brand_id) do update set
             changed_at = greatest(excluded.changed_at,
               (brand_tokens.changed_at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'),
             version = brand_tokens.version + 1
           returning changed_at, version, units_from, texts_from`,
    values: [brand.id, brand.orgId],
  });
}

/** Locks a brand's token row. A brand without results gets one for the lock: its version is 0, and nothing shows it. */
export function insertBrandToken(db: Queryable, brand: { id: string; orgId: string }): Promise<number> {
  return execute(db, {
    name: 'results.insert_brand_token',
    text: `insert into brand_tokens (brand_id, org_id, changed_at, version) values ($1, $2, clock_timestamp(), 0)
           on conflict (brand_id) do update set version = brand_tokens.version`,
    values: [brand.id, brand.orgId],
  });
}

/** Locks a brand's token row without moving the token. Its version is 0 before the first result. */
export function lockBrandToken(
  db: Queryable,
  brandId: string,
): Promise<(KeptDays & { org_id: string; version: number }) | undefined> {
  return maybeOne(db, {
    name: 'results.lock_brand_token',
    text: 'select org_id, version, units_from, texts_from from brand_tokens where brand_id = $1 for update',
    values: [brandId],
  });
}

/** Change tokens in no particular order. Brands without results have no token. */
export function listBrandTokens(
  db: Queryable,
  brandIds: readonly string[],
): Promise<{ brand_id: string; org_id: string; changed_at: string; version: number }[]> {
  return many(db, {
    name: 'results.list_brand_tokens',
    text: 'select brand_id, org_id, changed_at, version from brand_tokens where brand_id = any($1::uuid[])',
    values: [brandIds],
  });
}

/** Sets the brand's finalisation mark to the latest mark of its scans, or clears it if no scan has one. */
export function updateFinalising(db: Queryable, brandId: string): Promise<number> {
  return execute(db, {
    name: 'results.update_finalising',
    text: `update brand_tokens
           set finalising_until = (
             select max(finalising_until) from scans where brand_id = $1 and finalising_until is not null)
           where brand_id = $1`,
    values: [brandId],
  });
}

export function findBrandToken(db: Queryable, brandId: string): Promise<BrandToken | undefined> {
  return maybeOne<BrandToken>(db, {
    name: 'results.find_brand_token',
    text: `select changed_at, version, coalesce(finalising_until > clock_timestamp(), false) as finalising,
             units_from, texts_from
           from brand_tokens where brand_id = $1`,
    values: [brandId],
  });
}
