import { ApiError, errorBody, errorCodes } from '@bv/contract';
import type { ServiceName } from '@bv/contract';
import { isUnavailable } from '@bv/postgres';
import type { Response } from 'express';
import { getState, InvalidCallerError } from './observe.ts';
import { ReplayedRefusal, replayedHeader } from './process-once.ts';

export function sendJson(response: Response, status: number, body: unknown): void {
  // `response.json()` could return 304 for a conditional request, which the API does not have.
  // A string, not a buffer: Node then sends head and body in one write.
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  if (length >= largeBytes) countWaiting(response, length);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
    'cache-control': 'no-store',
  });
  response.end(text);
}

const largeBytes = 65_536;
const maxWaitingBytes = 67_108_864;
/** Bytes of large responses that their clients have not read yet. */
let waitingBytes = 0;

/** Counts a response until it is sent. Throws for a read when too many bytes wait: slow clients must not fill the memory. */
function countWaiting(response: Response, bytes: number): void {
  if (response.destroyed) return;
  const isTooMuch = waitingBytes > 0 && waitingBytes + bytes > maxWaitingBytes;
  if (isTooMuch && response.req.method === 'GET') {
    throw new ApiError('api_unavailable', {
      cause: new Error(`${waitingBytes} bytes of responses are unread`),
    });
  }
  waitingBytes += bytes;
  response.once('close', () => {
    waitingBytes -= bytes;
  });
}

/** Sends the response of an error, or ends the connection when a response has started. */
export function sendError(error: unknown, response: Response, service: ServiceName): void {
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
  // Thrown by the router for a path that cannot be decoded.
  const cause = error instanceof URIError ? new ApiError('not_found') : error;
  const { refusal, headers, log } = toErrorResponse(cause);
  state.errorCode = refusal.code;
  if (log) state.log[log.level]({ err: error }, log.message);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const body = errorBody(refusal, state.requestId);
  const isOperator = state.caller?.owner.kind === 'operator';
  if (isOperator) body.error.message = operatorMessage(cause, refusal, service);
  sendJson(response, refusal.status, body);
}

/** Names what cannot be used. The public message names nothing internal. */
function operatorMessage(error: unknown, refusal: ApiError, service: ServiceName): string {
  if (refusal.message !== errorCodes.api_unavailable.message) return refusal.message;
  if (error instanceof ApiError) return error.operatorMessage ?? `${service} cannot answer now`;
  return `${service} cannot use its database now`;
}

/** Retry-After of a 503 without its own value. */
export const unavailableRetrySeconds = 5;

/** What a client receives for an error, and what the log says about it. */
export type ErrorResponse = {
  refusal: ApiError;
  /** In addition to the headers that every response has. */
  headers: Record<string, string>;
  /** Undefined for a refusal that is no fault of the service. */
  log: { level: 'warn' | 'error'; message: string } | undefined;
};

/**
 * The only place where an error becomes a response: of the services, the public edge and the operator API. An error of
 * the database or of another service is `503`, unknown errors are `500`. Their text is never sent.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  const refusal = toApiError(error);
  const { status, retryAfterSeconds } = refusal;
  const retryAfter = retryAfterSeconds ?? (status === 503 ? unavailableRetrySeconds : undefined);
  const headers = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(refusal instanceof ReplayedRefusal && { [replayedHeader]: 'true' }),
  };
  return { refusal, headers, log: toLogLine(status) };
}

/** An error of the product is an ApiError already, also one that says that another service is unavailable. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable(error) ? 'api_unavailable' : 'internal_error', { cause: error });
}

function toLogLine(status: number): ErrorResponse['log'] {
  if (status === 500) return { level: 'error', message: 'request failed' };
  return status > 500 ? { level: 'warn', message: 'request refused: unavailable' } : undefined;
}
