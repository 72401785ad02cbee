import { ApiError, errorBody } from '@bv/contract';
import { ClientGoneError } from '@bv/http';
import { isUnavailable } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { UpstreamFailure } from '../upstream/answer-handler.ts';
import { noBody, sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { removeRateLimit } from './rate-limit-headers.ts';
import { expectsContinue } from './read-body.ts';
import { queueOf } from './request-queue.ts';

/** Of a 503 that says nothing else. */
export const unavailableRetrySeconds = 5;

/** The one place where an error becomes an answer. What it does not know is logged, and told to nobody. */
export function refuse(exchange: Exchange, error: unknown, log: Logger): void {
  // A refusal is final: a step that fails after it has nothing to add.
  if (exchange.errorCode !== undefined || isOver(exchange, error, log)) return;
  const { request, response, requestId, headers } = exchange;
  // Not when the response has closed: its client may never read it.
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
  // Without 100-continue the body was never asked for; whether it still comes nobody can know.
  if (expectsContinue(exchange) && !request.complete) queueOf(request.socket).close();
  const body = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  sendHead(exchange, refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

/** Whether there is nobody, or nothing more, to answer; an answer that has begun is cut short. */
function isOver({ response, requestId }: Exchange, error: unknown, log: Logger): boolean {
  const left = error instanceof UpstreamFailure && error.reason === 'client_gone';
  if (left || error instanceof ClientGoneError) return true;
  if (response.headersSent) {
    log.warn({ err: error, requestId }, 'failed after the answer had begun');
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
