import type { Queryable } from '@bv/postgres';
import { sourceDomain } from '@bv/source-url';
import { findBrand, listBrandsByIds } from '../db/brands.ts';

/** Registrable domains of the brand and of its competitors. They decide the category of a source. */
export async function findTrackedDomains(db: Queryable, brandId: string) {
  const own = await findBrand(db, brandId);
  const competitors = await listBrandsByIds(db, own?.competitor_ids ?? []);
  return {
    own: own === undefined ? '' : sourceDomain(own.domain),
    competitors: new Map(competitors.map((brand) => [sourceDomain(brand.domain), brand.id])),
  };
}
