import { ApiError } from '@bv/contract';
import { failpoint } from '@bv/lifecycle';
import type { EdgeContext } from '../context.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import type { StoredResponse } from '../idempotency/idempotency-store.ts';
import { getAccess, getRoute, sendHead, markReplayed } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Idempotency keys belong to the owner instead of the API key: a retry with a rotated API key still gets the stored response. */
export async function acquireIdempotencyKey(exchange: Exchange, context: EdgeContext): Promise<void> {
  const { idempotencyKey, request, body } = exchange;
  if (idempotencyKey === null) return;
  const { owner } = getAccess(exchange);
  const { operation, target } = getRoute(exchange);
  const keyed = { ownerKind: owner.kind, ownerId: owner.id, key: idempotencyKey, operation: operation.id };
  const print = fingerprint({ method: request.method, path: target, body });
  try {
    const outcome = await context.idempotency.acquire({ ...keyed, fingerprint: print });
    if ('acquired' in outcome) {
      exchange.acquiredKey = outcome.acquired;
      failpoint('gateway.idempotency_acquired');
      context.edgeMetrics.idempotency('claimed');
      return;
    }
    context.edgeMetrics.idempotency('replayed');
    replay(exchange, outcome.replay);
  } catch (error) {
    if (error instanceof ApiError) context.edgeMetrics.idempotency(error.code);
    throw error;
  }
}

/** Sends the stored response with a new request id, also in the body of an error. */
function replay(exchange: Exchange, { status, contentType, body }: StoredResponse): void {
  markReplayed(exchange);
  exchange.hasResponse = true;
  const bytes = status >= 400 ? withRequestId(body, exchange.requestId) : body;
  sendHead(exchange, status, {
    'content-type': contentType,
    'content-length': bytes.length,
  });
  exchange.response.end(bytes);
}

function withRequestId(body: Buffer, requestId: string): Buffer {
  const envelope = JSON.parse(body.toString()) as object;
  return Buffer.from(JSON.stringify({ ...envelope, request_id: requestId }));
}
