import { ApiError } from '@bv/contract';
import { failpoint } from '@bv/lifecycle';
import type { EdgeContext } from '../context.ts';
import { fingerprint } from '../domain/fingerprint.ts';
import type { StoredResponse } from '../idempotency/idempotency-store.ts';
import { refusalCode, UpstreamFailure } from '../upstream/response-handler.ts';
import type { UpstreamResponse } from '../upstream/response-handler.ts';
import { getAccess, getRoute, sendHead, markReplayed } from './exchange.ts';
import type { Exchange } from './exchange.ts';

// The steps of a request with an Idempotency-Key: acquire, replay or settle, release.

/** Idempotency keys belong to the owner instead of the API key: a retry with a rotated API key still gets the stored response. */
export async function acquireIdempotencyKey(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  const { idempotencyKey, request, body } = exchange;
  if (idempotencyKey === null) return;
  const { owner } = getAccess(exchange);
  const { operation, target } = getRoute(exchange);
  const keyed = { ownerKind: owner.kind, ownerId: owner.id, key: idempotencyKey, operation: operation.id };
  const print = fingerprint({ method: request.method, path: target, body });
  try {
    const outcome = await ctx.idempotency.acquire({ ...keyed, fingerprint: print });
    if ('acquired' in outcome) {
      exchange.acquiredKey = outcome.acquired;
      failpoint('gateway.idempotency_acquired');
      ctx.edgeMetrics.idempotency('acquired');
      return;
    }
    ctx.edgeMetrics.idempotency('replayed');
    replay(exchange, outcome.replay);
  } catch (error) {
    if (error instanceof ApiError) ctx.edgeMetrics.idempotency(error.code);
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

/** Statuses that do not consume the idempotency key. */
const nonConsumingStatuses = new Set([401, 403, 405, 408, 413, 429]);

/** Of a larger response, only the service's record is kept: a retry gets that under the same operation id. */
const maxStoredBytes = 262_144;

/** Stores the response before it is sent, so that a client that received it gets the same on a retry. */
export async function settleIdempotencyKey(
  exchange: Exchange,
  response: UpstreamResponse,
  ctx: EdgeContext,
): Promise<void> {
  const { acquiredKey } = exchange;
  if (acquiredKey === undefined) return;
  failpoint('gateway.answered');
  await settle(exchange, ctx, () => {
    if (response.status >= 500 || isInFlightRefusal(response)) return acquiredKey.release();
    if (nonConsumingStatuses.has(response.status)) return acquiredKey.drop();
    if (response.body.length > maxStoredBytes) return acquiredKey.release();
    const contentType = String(response.headers['content-type']);
    return acquiredKey.store({ status: response.status, contentType, body: response.body });
  });
  failpoint('gateway.stored');
}

/** Another attempt runs in the service. Its response is stored instead of this one. */
function isInFlightRefusal(response: UpstreamResponse): boolean {
  return response.status === 409 && refusalCode(response) === 'idempotency_key_in_flight';
}

/**
 * Called when the service sent no response. After a timeout the service may still process the request, so the key stays
 * acquired until its lease ends. A retry then acquires it with the same operation id. After other failures the key is
 * released immediately.
 */
export async function releaseIdempotencyKey(
  exchange: Exchange,
  error: unknown,
  ctx: EdgeContext,
): Promise<void> {
  const { acquiredKey } = exchange;
  const mayStillRun = error instanceof UpstreamFailure && error.sent && error.reason === 'timeout';
  if (acquiredKey === undefined || mayStillRun) return;
  await settle(exchange, ctx, () => acquiredKey.release());
}

/** A failure is only logged: the response is valid, and the record of the service covers a retry. */
async function settle(exchange: Exchange, { log }: EdgeContext, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    log.error({ err: error, requestId: exchange.requestId }, 'the idempotency record could not be updated');
  }
}
