import { ApiError } from '@bv/contract';
import { crashPoint } from '@bv/lifecycle';
import type { EdgeContext } from '../context.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import type { KeptAnswer } from '../idempotency/idempotency-store.ts';
import { accessOf, routeOf, sendHead, tellReplay } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** Keys belong to the owner, not to the API key: a retry after a rotation of keys still finds its answer. */
export async function claimIdempotency(exchange: Exchange, context: EdgeContext): Promise<void> {
  const { idempotencyKey, request, body } = exchange;
  if (idempotencyKey === null) return;
  const { owner } = accessOf(exchange);
  const { operation, target } = routeOf(exchange);
  const keyed = { ownerKind: owner.kind, ownerId: owner.id, key: idempotencyKey, operation: operation.id };
  const print = fingerprint({ method: request.method, path: target, body });
  try {
    const outcome = await context.idempotency.claim({ ...keyed, fingerprint: print });
    if ('held' in outcome) {
      exchange.claim = outcome.held;
      crashPoint('gateway.claimed');
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

/** The stored answer under a new request id, which an error body repeats. */
function replay(exchange: Exchange, { status, contentType, body }: KeptAnswer): void {
  tellReplay(exchange);
  exchange.answered = true;
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
