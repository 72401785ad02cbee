import { ApiError, errorBody } from '@bv/contract';
import type { NextFunction, Request, Response } from 'express';
import { toErrorResponse } from './error-response.ts';
import { getState } from './request-state.ts';

/** A request without a valid caller header. Internal: it never reaches a public client. */
export class InvalidCallerError extends Error {
  override readonly name = 'InvalidCallerError';
}

export function sendJson(response: Response, status: number, body: unknown): void {
  // `response.json()` could return 304 for a conditional request, which the API does not have.
  // A string, not a buffer: Node then sends head and body in one write.
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** Sends the response of an error, or ends the connection when a response has started. */
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
  // Thrown by the router for a path that cannot be decoded.
  const cause = error instanceof URIError ? new ApiError('not_found') : error;
  const { refusal, headers, log } = toErrorResponse(cause);
  state.errorCode = refusal.code;
  if (log) state.log[log.level]({ err: error }, log.message);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, refusal.status, errorBody(refusal, state.requestId));
}
