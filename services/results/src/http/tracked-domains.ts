import type { Queryable } from '@bv/postgres';
import { sourceDomain } from '@bv/source-url';
import { findBrand, listBrandsByIds } from '../db/brands.ts';

/** Registrable domains that make a source the brand's own or a competitor's. */
export async function trackedDomains(db: Queryable, brandId: string) {
  const own = await findBrand(db, brandId);
  const competitors = await listBrandsByIds(db, own?.competitor_ids ?? []);
  return {
    own: own === undefined ? '' : sourceDomain(own.domain),
    competitors: new Map(competitors.map((brand) => [sourceDomain(brand.domain), brand.id])),
  };
}
