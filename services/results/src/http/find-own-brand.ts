import { ApiError, validationError } from '@bv/contract';
import { findBrandRpc } from '@bv/events';
import { transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand } from '../db/brands.ts';
import { applyBrand } from '../events/on-brand-changed.ts';
import { askCatalog } from './ask-catalog.ts';

/** A brand as it is known here, or else to the catalog: one made a moment ago may not have been told of yet. */
export async function findKnownBrand(ctx: Context, brandId: string): Promise<BrandRow | undefined> {
  return (await findBrand(ctx.pool, brandId)) ?? findFreshBrand(ctx, brandId);
}

/** A brand as the catalog has it now, or as it was last known where the catalog no longer has it. */
export async function findFreshBrand(ctx: Context, brandId: string): Promise<BrandRow | undefined> {
  const reply = await askCatalog(ctx, findBrandRpc, { id: brandId });
  if (reply !== null) await transaction(ctx.pool, (tx) => applyBrand(tx, reply.version, reply.data));
  return findBrand(ctx.pool, brandId);
}

/** An own brand of the organisation; `404 not_found`, or `own_brand_only` for a competitor. */
export async function findOwnBrand(ctx: Context, orgId: string | null, brandId: string): Promise<BrandRow> {
  const brand = await findKnownBrand(ctx, brandId);
  if (brand === undefined || brand.org_id !== orgId) throw new ApiError('not_found');
  return requireOwn(brand);
}

/** The same for the operator, to whom every organisation's brands are open. */
export async function findOwnBrandOfAnyOrg(ctx: Context, brandId: string): Promise<BrandRow> {
  const brand = await findKnownBrand(ctx, brandId);
  if (brand === undefined) throw new ApiError('not_found');
  return requireOwn(brand);
}

function requireOwn(brand: BrandRow): BrandRow {
  if (brand.is_own) return brand;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}
