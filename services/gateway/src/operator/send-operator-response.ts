import { ApiError, errorBody } from '@bv/contract';
import type { Logger } from '@bv/telemetry';
import type { ServerResponse } from 'node:http';
import { ClientGoneError, toErrorResponse } from '@bv/http';
import type { UpstreamResponse } from '../upstream/response-handler.ts';

export function sendOperatorResponse(
  response: ServerResponse,
  { status, headers, body }: UpstreamResponse,
): void {
  const json = headers['content-type']?.toString().startsWith('application/json') ?? false;
  if (!json || status === 401)
    throw new ApiError('api_unavailable', { message: `The service answered ${status} to the gateway` });
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
  const { refusal, headers, log: line } = toErrorResponse(error);
  if (line) log[line.level]({ err: error, requestId }, line.message);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const body = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  });
  response.end(body);
}
