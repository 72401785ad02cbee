import type { MatchRules } from '@bv/contract';
import { many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { BrandFields } from '../domain/brand-patch.ts';

export type BrandRow = {
  id: string;
  org_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  external_ref: string | null;
  geography: string;
  aliases: string[];
  match: MatchRules;
  sunset_at: string | null;
  version: number;
  created_at: string;
  updated_at: string;
};

export const brandColumns = `
  id, org_id, name, domain, is_own, external_ref, geography, aliases, match_rules as match, sunset_at, version,
  created_at, updated_at`;

export function findBrand(db: Queryable, brandId: string): Promise<BrandRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_brand',
    text: `select ${brandColumns} from brands where id = $1`,
    values: [brandId],
  });
}

/** Locks the brand's row. The caller holds the organisation's lock. */
export function lockBrand(tx: Transaction, orgId: string, brandId: string): Promise<BrandRow | undefined> {
  return maybeOne(tx, {
    name: 'catalog.lock_brand',
    text: `select ${brandColumns} from brands where id = $1 and org_id = $2 for no key update`,
    values: [brandId, orgId],
  });
}

/** An own brand of the organisation, archived or not, with this normalised domain. */
export function findOwnBrandByDomain(
  db: Queryable,
  orgId: string,
  domain: string,
): Promise<{ id: string } | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_own_brand_by_domain',
    text: 'select id from brands where org_id = $1 and domain = $2 and is_own',
    values: [orgId, domain],
  });
}

export function findBrandByExternalRef(
  db: Queryable,
  orgId: string,
  externalRef: string,
): Promise<{ id: string } | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_brand_by_external_ref',
    text: 'select id from brands where org_id = $1 and external_ref = $2',
    values: [orgId, externalRef],
  });
}

export type BrandPage = {
  orgId: string;
  isOwn: boolean | null;
  after: { createdAt: string; id: string };
  limit: number;
};

/** Brands that are not archived, oldest first. Each variant has its own SQL text, so that it uses its own index. */
export function listBrandRows(db: Queryable, { orgId, isOwn, after, limit }: BrandPage): Promise<BrandRow[]> {
  const values = [orgId, after.createdAt, after.id, limit];
  if (isOwn === null) {
    return many(db, {
      name: 'catalog.list_brands',
      text: `select ${brandColumns} from brands
             where org_id = $1 and sunset_at is null and (created_at, id) > ($2::timestamptz, $3::uuid)
             order by created_at, id limit $4`,
      values,
    });
  }
  return many(db, {
    name: 'catalog.list_brands_by_kind',
    text: `select ${brandColumns} from brands
           where org_id = $1 and is_own = $5 and sunset_at is null
             and (created_at, id) > ($2::timestamptz, $3::uuid)
           order by created_at, id limit $4`,
    values: [...values, isOwn],
  });
}

export type AllBrandsPage = BrandPage & { archived: boolean | null };

/** Brands of an organisation, archived ones too, oldest first. */
export function listAllBrandRows(db: Queryable, page: AllBrandsPage): Promise<BrandRow[]> {
  return many(db, {
    name: 'catalog.list_all_brands',
    text: `select ${brandColumns} from brands
           where org_id = $1 and (created_at, id) > ($2::timestamptz, $3::uuid)
             and ($5::boolean is null or is_own = $5)
             and ($6::boolean is null or (sunset_at is not null) = $6)
           order by created_at, id limit $4`,
    values: [page.orgId, page.after.createdAt, page.after.id, page.limit, page.isOwn, page.archived],
  });
}

/** Names of the brands with these ids. */
export async function listBrandNames(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return many(db, {
    name: 'catalog.list_brand_names',
    text: 'select id, name from brands where id = any($1::uuid[])',
    values: [ids],
  });
}

/** The newest own brands that are not archived, newest first. */
export async function listNewestOwnBrandIds(db: Queryable, orgId: string, limit: number): Promise<string[]> {
  const rows = await many<{ id: string }>(db, {
    name: 'catalog.list_newest_own_brand_ids',
    text: `select id from brands where org_id = $1 and is_own and sunset_at is null
           order by created_at desc, id desc limit $2`,
    values: [orgId, limit],
  });
  return rows.map(({ id }) => id);
}

/** Own brands that are not archived. */
export async function countOwnBrands(db: Queryable, orgId: string): Promise<number> {
  const { count } = await one<{ count: number }>(db, {
    name: 'catalog.count_own_brands',
    text: 'select count(*) from brands where org_id = $1 and is_own and sunset_at is null',
    values: [orgId],
  });
  return count;
}

export type NewOwnBrand = {
  orgId: string;
  name: string;
  domain: string;
  externalRef: string | null;
  geography: string | null;
  aliases: string[];
  match: MatchRules;
};

export function insertOwnBrand(tx: Transaction, brand: NewOwnBrand): Promise<BrandRow> {
  return one(tx, {
    name: 'catalog.insert_own_brand',
    text: `insert into brands (org_id, is_own, name, domain, external_ref, geography, aliases, match_rules)
           values ($1, true, $2, $3, $4, coalesce($5, 'global'), $6, $7)
           returning ${brandColumns}`,
    values: [
      brand.orgId,
      brand.name,
      brand.domain,
      brand.externalRef,
      brand.geography,
      brand.aliases,
      JSON.stringify(brand.match),
    ],
  });
}

/** Increments the version, for a change of the brand or of its linked competitors. */
export function updateBrandVersion(tx: Transaction, brandId: string): Promise<BrandRow> {
  return one(tx, {
    name: 'catalog.update_brand_version',
    text: `update brands set version = version + 1, updated_at = clock_timestamp()
           where id = $1 returning ${brandColumns}`,
    values: [brandId],
  });
}

/** The caller holds the brand's lock. */
export function updateBrandRow(tx: Transaction, brandId: string, fields: BrandFields): Promise<BrandRow> {
  return one(tx, {
    name: 'catalog.update_brand',
    text: `update brands
           set name = $2, aliases = $3, match_rules = $4, geography = $5, external_ref = $6,
               version = version + 1, updated_at = clock_timestamp()
           where id = $1 returning ${brandColumns}`,
    values: [
      brandId,
      fields.name,
      fields.aliases,
      JSON.stringify(fields.match),
      fields.geography,
      fields.external_ref,
    ],
  });
}

export function updateBrandArchived(tx: Transaction, brandId: string, archived: boolean): Promise<BrandRow> {
  return one(tx, {
    name: 'catalog.update_brand_archived',
    text: `update brands
           set sunset_at = case when $2 then clock_timestamp() end, version = version + 1,
               updated_at = clock_timestamp()
           where id = $1 returning ${brandColumns}`,
    values: [brandId, archived],
  });
}
