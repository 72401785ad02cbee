import { ApiError, errorBody } from '@bv/contract';
import { ClientGoneError } from '@bv/http';
import { isUnavailable } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { UpstreamFailure } from '../upstream/response-handler.ts';
import { noBody, removeRateLimit, sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { expectsContinue } from './read-body.ts';
import { getQueue } from './request-queue.ts';

/** Retry-After of a 503 without its own value. */
export const unavailableRetrySeconds = 5;

/** The only place where an error becomes a response. Unknown errors are logged, and their text is never sent. */
export function refuse(exchange: Exchange, error: unknown, log: Logger): void {
  // A refusal is final. Later failures of the same request are ignored.
  if (exchange.errorCode !== undefined || isOver(exchange, error, log)) return;
  const { request, response, requestId, headers } = exchange;
  // Releases the body now instead of on close, because the client may never read its response.
  exchange.incomingBody?.discard();
  exchange.body = noBody;
  const refusal = asApiError(error);
  exchange.errorCode = refusal.code;
  if (refusal.status === 500) log.error({ err: error, requestId }, 'request failed');
  else if (refusal.status > 500) log.warn({ err: error, requestId }, 'request refused: unavailable');
  if (refusal.status === 401) headers['www-authenticate'] = 'Bearer';
  if (refusal.code === 'api_unavailable' || refusal.status === 401) removeRateLimit(exchange);
  const retryAfter =
    refusal.retryAfterSeconds ?? (refusal.status === 503 ? unavailableRetrySeconds : undefined);
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  // The client waits for 100-continue and may send its body or not, so the end of the request is unknown.
  if (expectsContinue(exchange) && !request.complete) getQueue(request.socket).close();
  const body = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  sendHead(exchange, refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

/** Whether no refusal can be sent: the client is gone or a response has started. A started response is aborted. */
function isOver({ response, requestId }: Exchange, error: unknown, log: Logger): boolean {
  const left = error instanceof UpstreamFailure && error.reason === 'client_gone';
  if (left || error instanceof ClientGoneError) return true;
  if (response.headersSent) {
    log.warn({ err: error, requestId }, 'request failed after the response had started');
    response.destroy();
  }
  return response.destroyed;
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof UpstreamFailure || isUnavailable(error)) {
    return new ApiError('api_unavailable', { cause: error });
  }
  return new ApiError('internal_error', { cause: error });
}
