import { ApiError, validationError } from '@bv/contract';
import { callRpc, fetchScanPlan, type RpcReply, type RpcRequest, type Rpc, type ScanPlan } from '@bv/events';
import type { Context } from '../context.ts';

const timeoutMs = 3_000;
/** A plan may have several pages. */
const planTimeoutMs = 8_000;

/** Calls catalog over NATS. Throws `503 api_unavailable` if it does not respond in time. */
export function callCatalog<R extends Rpc>(
  { nats }: Context,
  rpc: R,
  request: RpcRequest<R>,
): Promise<RpcReply<R>> {
  return callRpc(nats, rpc, request, { timeoutMs });
}

/** The current scan plan of an own brand. Throws `404 not_found` or the validation error `own_brand_only`. */
export async function requestScanPlan({ nats }: Context, orgId: string, brandId: string): Promise<ScanPlan> {
  const plan = await fetchScanPlan(nats, { org_id: orgId, brand_id: brandId }, { timeoutMs: planTimeoutMs });
  if (plan === null) throw new ApiError('not_found');
  if (plan.brand.is_own) return plan;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}
