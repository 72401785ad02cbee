import { callRpc, type RpcReply, type RpcRequest, type Rpc } from '@bv/events';
import type { Context } from '../context.ts';

const timeoutMs = 2_000;

/**
 * Calls the catalog. Throws `503 api_unavailable` if it does not reply: an aggregate that is missing here may exist
 * there, so the response must not be `404`.
 */
export function callCatalog<R extends Rpc>(
  { nats }: Context,
  rpc: R,
  request: RpcRequest<R>,
): Promise<RpcReply<R>> {
  return callRpc(nats, rpc, request, { timeoutMs });
}
