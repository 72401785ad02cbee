import { ApiError, validationError } from '@bv/contract';
import { callRpc, fetchScanPlan, type ReplyOf, type RequestOf, type Rpc, type ScanPlan } from '@bv/events';
import type { Context } from '../context.ts';

const timeoutMs = 3_000;
/** A plan may come in several pages. */
const planTimeoutMs = 8_000;

/** `503 api_unavailable` where catalog does not answer: its word is needed, and a guess is not one. */
export function askCatalog<R extends Rpc>(
  { nats }: Context,
  rpc: R,
  request: RequestOf<R>,
): Promise<ReplyOf<R>> {
  return callRpc(nats, rpc, request, { timeoutMs });
}

/** What is to be scanned for an own brand as catalog knows it now; `404 not_found`, or `own_brand_only`. */
export async function askScanPlan({ nats }: Context, orgId: string, brandId: string): Promise<ScanPlan> {
  const plan = await fetchScanPlan(nats, { org_id: orgId, brand_id: brandId }, { timeoutMs: planTimeoutMs });
  if (plan === null) throw new ApiError('not_found');
  if (plan.brand.is_own) return plan;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}
