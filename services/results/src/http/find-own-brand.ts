import { ApiError, validationError } from '@bv/contract';
import { findBrandRpc } from '@bv/events';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand } from '../db/brands.ts';
import { applyBrand } from '../events/on-brand-changed.ts';
import { askCatalog } from './ask-catalog.ts';

/** A brand of the organisation, own or competitor. A brand made a moment ago is asked of the catalog before a 404. */
async function findBrandOfOrg(ctx: Context, orgId: string | null, brandId: string): Promise<BrandRow> {
  let brand = await findBrand(ctx.pool, brandId);
  if (brand === undefined) {
    const reply = await askCatalog(ctx, findBrandRpc, { id: brandId });
    if (reply !== null) await applyBrand(ctx.pool, reply.version, reply.data);
    brand = await findBrand(ctx.pool, brandId);
  }
  if (brand === undefined || brand.org_id !== orgId) throw new ApiError('not_found');
  return brand;
}

/** An own brand of the organisation; `404 not_found`, or `own_brand_only` for a competitor. */
export async function findOwnBrand(ctx: Context, orgId: string | null, brandId: string): Promise<BrandRow> {
  const brand = await findBrandOfOrg(ctx, orgId, brandId);
  if (brand.is_own) return brand;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}
