import { callRpc, findBrandRpc, unlessPurged } from '@bv/events';
import type { Context } from '../context.ts';
import { findTrackedBrands, type TrackedBrandRow } from '../db/tracked-brands.ts';
import { applyBrand } from './apply-catalog-state.ts';

type Deps = Pick<Context, 'pool' | 'nats'>;

/**
 * Stores the catalog's current state of a brand; nothing if the catalog no longer has it. Throws `RpcUnavailable` if the
 * catalog does not reply. The call holds no connection and no lock.
 */
export async function requestBrand({ pool, nats }: Deps, id: string): Promise<void> {
  const reply = await callRpc(nats, findBrandRpc, { id });
  if (reply === null) return;
  await unlessPurged(pool, reply.data.org_id, (tx) => applyBrand(tx, reply.version, reply.data));
}

/**
 * An own brand and its competitors. Requests those that are not projected from the
 * catalog, and throws `RpcUnavailable` if it does not reply. Omits a competitor that the catalog no longer has.
 */
export async function requestTrackedBrands(deps: Deps, brandId: string): Promise<TrackedBrandRow[]> {
  // The reply for the own brand may add competitors. Those are requested in the second pass.
  for (let pass = 0; pass < 2; pass += 1) {
    const { brands, missing } = await findTrackedBrands(deps.pool, brandId);
    if (missing.length === 0) return brands;
    for (const id of missing) await requestBrand(deps, id);
  }
  return (await findTrackedBrands(deps.pool, brandId)).brands;
}
