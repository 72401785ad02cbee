import { ApiError, validationError } from '@bv/contract';
import { callRpc, findBrandRpc } from '@bv/events';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand, upsertBrand } from '../db/brands.ts';
import { isLinked } from '../db/links.ts';

type Wanted = { org_id?: string | null | undefined; brand_id?: string | null | undefined };

export type Scope = { orgId: string | null; brandId: string | null };

/** The organisation and brand a subscription is for; both must be within the partner's reach. */
export async function resolveScope(wanted: Wanted, partnerId: string, context: Context): Promise<Scope> {
  const brandId = wanted.brand_id ?? null;
  const brand = brandId === null ? null : await getBrand(brandId, context);
  const orgId = wanted.org_id ?? brand?.org_id ?? null;
  if (brand !== null && brand.org_id !== orgId) throw new ApiError('not_found');
  if (orgId !== null && !(await isLinked(context.pool, partnerId, orgId))) throw new ApiError('not_found');
  // Said only of a brand within reach.
  if (brand !== null && !brand.is_own) {
    const message = 'Events are of own brands; this is a competitor';
    throw validationError([{ path: 'brand_id', code: 'own_brand_only', message }]);
  }
  return { orgId, brandId };
}

/** A miss of the projection is not the last word: a brand made a moment ago is known to catalog. */
async function getBrand(id: string, { pool, nats, rpcTimeoutMs }: Context): Promise<BrandRow> {
  const known = await findBrand(pool, id);
  if (known !== undefined) return known;
  const found = await callRpc(nats, findBrandRpc, { id }, { timeoutMs: rpcTimeoutMs });
  if (found === null) throw new ApiError('not_found');
  const { data, version } = found;
  await upsertBrand(pool, { id, orgId: data.org_id, isOwn: data.is_own, version });
  return { org_id: data.org_id, is_own: data.is_own };
}
