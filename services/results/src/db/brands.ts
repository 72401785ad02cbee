import { execute, many, maybeOne, type Queryable } from '@bv/postgres';
import { sourceDomain } from '@bv/source-url';

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

export type TrackedDomains = { own: string; competitors: ReadonlyMap<string, string> };

/** Registrable domains of a brand, and of its competitors with their ids. They decide the category of a source. */
export async function findTrackedDomains(db: Queryable, brandId: string): Promise<TrackedDomains> {
  const own = await findBrand(db, brandId);
  const competitors = await listBrandsByIds(db, own?.competitor_ids ?? []);
  return {
    own: own === undefined ? '' : sourceDomain(own.domain),
    competitors: new Map(competitors.map((brand) => [sourceDomain(brand.domain), brand.id])),
  };
}

/** Stores a brand's state if it is newer than the stored one. Returns the number of rows written: 0 or 1. */
export function upsertBrand(db: Queryable, brand: BrandRow & { version: number }): Promise<number> {
  return execute(db, {
    name: 'results.upsert_brand',
    text: `insert into brands (${columns}, version) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           on conflict (id) do update set
             name = excluded.name, domain = excluded.domain, is_own = excluded.is_own,
             external_ref = excluded.external_ref, geography = excluded.geography,
             sunset_at = excluded.sunset_at, competitor_ids = excluded.competitor_ids, version = excluded.version
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
      brand.version,
    ],
  });
}
