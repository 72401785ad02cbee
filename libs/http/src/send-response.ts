import { ApiError, errorBody } from '@bv/contract';
import { isUnavailable } from '@bv/postgres';
import type { NextFunction, Request, Response } from 'express';
import { getState } from './request-state.ts';
import { isReplay, replayedHeader } from './run-once.ts';

const unavailableRetrySeconds = 5;

/** A request without a valid caller header. Internal: it never reaches a public client. */
export class InvalidCallerError extends Error {
  override readonly name = 'InvalidCallerError';
}

export function sendJson(response: Response, status: number, body: unknown): void {
  // `response.json()` could return 304 for a conditional request, which the API does not have.
  // A string, not a buffer: Node then sends head and body in one write.
  const text = JSON.stringify(body);
  if (isReplay(getState(response).caller)) response.setHeader(replayedHeader, 'true');
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** The only place where an error becomes a response. Unknown errors are logged, and their text is never sent. */
export function sendError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const state = getState(response);
  if (response.headersSent) {
    state.log.error({ err: error }, 'request failed after the response had started');
    response.destroy();
    return;
  }
  if (error instanceof InvalidCallerError) {
    state.errorCode = 'invalid_caller';
    const body = { code: state.errorCode, message: 'The call is not signed by the gateway' };
    return sendJson(response, 401, { error: body, request_id: state.requestId });
  }
  const refusal = asApiError(error);
  state.errorCode = refusal.code;
  if (refusal.status === 500) state.log.error({ err: error }, 'request failed');
  else if (refusal.status > 500) state.log.warn({ err: error }, 'request refused: unavailable');
  const retryAfter =
    refusal.retryAfterSeconds ?? (refusal.status === 503 ? unavailableRetrySeconds : undefined);
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  sendJson(response, refusal.status, errorBody(refusal, state.requestId));
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error))
    return new ApiError('api_unavailable', { retryAfterSeconds: unavailableRetrySeconds });
  // Thrown by the router for a path that cannot be decoded.
  if (error instanceof URIError) return new ApiError('not_found');
  return new ApiError('internal_error');
}
