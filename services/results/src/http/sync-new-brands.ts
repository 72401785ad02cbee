import { callRpc, newestBrandsRpc, RpcUnavailable } from '@bv/events';
import type { Context } from '../context.ts';
import { listBrandsByIds } from '../db/brands.ts';
import { fetchBrand } from './find-own-brand.ts';

const timeoutMs = 500;

/**
 * Fetches own brands whose events have not arrived yet, so that the list of an organisation shows a brand that was just
 * created. If the catalog does not reply, the list contains only the brands of the projection.
 */
export async function syncNewBrands(ctx: Context, orgId: string): Promise<void> {
  try {
    const newest = await callRpc(ctx.nats, newestBrandsRpc, { org_id: orgId }, { timeoutMs });
    const projected = new Set((await listBrandsByIds(ctx.pool, newest)).map(({ id }) => id));
    for (const id of newest) if (!projected.has(id)) await fetchBrand(ctx, id);
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
  }
}
