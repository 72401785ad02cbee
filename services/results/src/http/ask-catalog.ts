import { ApiError } from '@bv/contract';
import { callRpc, type ReplyOf, type RequestOf, type Rpc, RpcUnavailable } from '@bv/events';
import type { Context } from '../context.ts';

const TIMEOUT_MS = 2_000;

/** Asks the catalog; `503 api_unavailable` where it does not answer, for a miss here is never the last word. */
export async function askCatalog<R extends Rpc>(
  ctx: Context,
  rpc: R,
  request: RequestOf<R>,
): Promise<ReplyOf<R>> {
  try {
    return await callRpc(ctx.nats, rpc, request, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof RpcUnavailable) {
      throw new ApiError('api_unavailable', { retryAfterSeconds: 5, cause: error });
    }
    throw error;
  }
}
