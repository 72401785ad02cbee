import type { Queryable } from '@bv/postgres';
import { type BrandRow, findBrand } from './brands.ts';
import { type CompetitorRow, listCompetitors } from './competitors.ts';
import { findBrandChange } from './projections.ts';

export type BrandDetailRows = {
  brand: BrandRow;
  competitors: CompetitorRow[];
  changedAt: string | undefined;
};

/** A brand of the organisation with its linked competitors and its change token. */
export async function findBrandDetail(
  db: Queryable,
  orgId: string,
  brandId: string,
): Promise<BrandDetailRows | undefined> {
  const brand = await findBrand(db, brandId);
  if (brand?.org_id !== orgId) return undefined;
  const competitors = brand.is_own ? await listCompetitors(db, brandId) : [];
  return { brand, competitors, changedAt: await findBrandChange(db, brandId) };
}
