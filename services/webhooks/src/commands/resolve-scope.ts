import { ApiError, validationError } from '@bv/contract';
import { callRpc, findBrandRpc, unlessPurged } from '@bv/events';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand, isLinked, upsertBrand } from '../db/projections.ts';

type RequestedScope = { org_id?: string | null | undefined; brand_id?: string | null | undefined };

export type Scope = { orgId: string | null; brandId: string | null };

/**
 * Returns the organisation and brand of a subscription. Rejects with `not_found` when the partner has no link to them.
 */
export async function resolveScope(
  requested: RequestedScope,
  partnerId: string,
  ctx: Context,
): Promise<Scope> {
  const brandId = requested.brand_id ?? null;
  const brand = brandId === null ? null : await getBrand(brandId, ctx);
  const orgId = requested.org_id ?? brand?.org_id ?? null;
  if (brand !== null && brand.org_id !== orgId) throw new ApiError('not_found');
  if (orgId !== null && !(await isLinked(ctx.pool, partnerId, orgId))) throw new ApiError('not_found');
  // Only for brands of linked organisations: others are `not_found`.
  if (brand !== null && !brand.is_own) {
    const message = 'Subscriptions are for own brands; this brand is a competitor';
    throw validationError([{ path: 'brand_id', code: 'own_brand_only', message }]);
  }
  return { orgId, brandId };
}

/** Queries catalog when the projection has no such brand: the event of a new brand may still be on its way. */
async function getBrand(id: string, { pool, nats }: Context): Promise<BrandRow> {
  const projected = await findBrand(pool, id);
  if (projected !== undefined) return projected;
  const response = await callRpc(nats, findBrandRpc, { id });
  if (response === null) throw new ApiError('not_found');
  const { data, version } = response;
  const brand = { id, orgId: data.org_id, isOwn: data.is_own, version };
  await unlessPurged(pool, brand.orgId, (tx) => upsertBrand(tx, brand));
  return { org_id: brand.orgId, is_own: brand.isOwn };
}
