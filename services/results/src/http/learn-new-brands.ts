import { callRpc, newestBrandsRpc, RpcUnavailable } from '@bv/events';
import type { Context } from '../context.ts';
import { listBrandsByIds } from '../db/brands.ts';
import { findFreshBrand } from './find-own-brand.ts';

const TIMEOUT_MS = 500;

/**
 * Takes over own brands that were made a moment ago and that no event told of yet, so that the list of an organisation
 * shows what its owner has just created. Where the catalog does not answer, the list is of what is known here.
 */
export async function learnNewBrands(ctx: Context, orgId: string): Promise<void> {
  try {
    const newest = await callRpc(ctx.nats, newestBrandsRpc, { org_id: orgId }, { timeoutMs: TIMEOUT_MS });
    const known = new Set((await listBrandsByIds(ctx.pool, newest)).map(({ id }) => id));
    for (const id of newest) if (!known.has(id)) await findFreshBrand(ctx, id);
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
  }
}
