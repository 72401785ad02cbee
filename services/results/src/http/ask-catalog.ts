import { callRpc, type ReplyOf, type RequestOf, type Rpc } from '@bv/events';
import type { Context } from '../context.ts';

const TIMEOUT_MS = 2_000;

/** Asks the catalog; `503 api_unavailable` where it does not answer, for a miss here is never the last word. */
export function askCatalog<R extends Rpc>(
  { nats }: Context,
  rpc: R,
  request: RequestOf<R>,
): Promise<ReplyOf<R>> {
  return callRpc(nats, rpc, request, { timeoutMs: TIMEOUT_MS });
}
