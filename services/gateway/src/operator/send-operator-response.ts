import { ApiError, errorBody } from '@bv/contract';
import type { Logger } from '@bv/telemetry';
import type { ServerResponse } from 'node:http';
import { ClientGoneError } from '@bv/http';
import { unavailableRetrySeconds } from '../edge/refuse.ts';
import { UpstreamFailure } from '../upstream/response-handler.ts';
import type { UpstreamResponse } from '../upstream/response-handler.ts';

export function sendOperatorResponse(
  response: ServerResponse,
  { status, headers, body }: UpstreamResponse,
): void {
  const json = headers['content-type']?.toString().startsWith('application/json') ?? false;
  if (!json || status === 401) throw new ApiError('api_unavailable');
  const retryAfter = headers['retry-after'];
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': headers['content-length'] ?? body.length,
    'cache-control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(body);
}

export function refuseOperator(
  response: ServerResponse,
  error: unknown,
  requestId: string,
  log: Logger,
): void {
  if (response.destroyed || response.headersSent || error instanceof ClientGoneError) return;
  const refusal = asApiError(error);
  if (refusal.status >= 500) log.error({ err: error, requestId }, 'operator request failed');
  if (refusal.status === 503) {
    response.setHeader('retry-after', String(refusal.retryAfterSeconds ?? unavailableRetrySeconds));
  }
  if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
  const body = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  });
  response.end(body);
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return error instanceof UpstreamFailure
    ? new ApiError('api_unavailable', { cause: error })
    : new ApiError('internal_error', { cause: error });
}
