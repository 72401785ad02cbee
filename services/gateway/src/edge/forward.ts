import { ApiError } from '@bv/contract';
import { callerGraceMs, callerHeader, replayedHeader, signCaller, unavailableRetrySeconds } from '@bv/http';
import type { EdgeContext } from '../context.ts';
import type { UpstreamResponse, UpstreamHead, UpstreamRequest } from '../upstream/response-handler.ts';
import { refundRefusedTier } from './charge-allowance.ts';
import { getAccess, getRoute, markReplayed, removeRateLimit, sendHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './header-lines.ts';
import { releaseIdempotencyKey, settleIdempotencyKey } from './idempotency.ts';

/** Response headers of a service that the client receives. All others are internal. */
const forwardedHeaders = ['content-type', 'content-length', 'retry-after'] as const;

/** Sends the request to its service. Streams the response to the client, unless the edge has to read it. */
export async function forward(exchange: Exchange, ctx: EdgeContext): Promise<void> {
  const upstreamResponse = await callService(exchange, ctx).catch(async (error: unknown) => {
    await releaseIdempotencyKey(exchange, error, ctx);
    throw error;
  });
  exchange.hasResponse = true;
  if (exchange.response.headersSent) return;
  await settleIdempotencyKey(exchange, upstreamResponse, ctx);
  await refundRefusedTier(exchange, upstreamResponse, ctx);
  sendBuffered(exchange, upstreamResponse);
}

function callService(exchange: Exchange, ctx: EdgeContext): Promise<UpstreamResponse> {
  const { request, response, acquiredKey } = exchange;
  const { operation, target } = getRoute(exchange);
  const { raw } = exchange.body;
  const call: UpstreamRequest = {
    method: request.method,
    path: target,
    headers: {
      ...callerHeaders(exchange, ctx),
      ...(raw.length === 0 ? {} : { 'content-type': 'application/json' }),
    },
    body: raw.length === 0 ? null : raw,
  };
  return ctx.upstreams.deliver(operation.service, call, {
    target: (head) => {
      checkHead(head);
      const isBuffered = acquiredKey !== undefined || head.status === 403 || head.status >= 500;
      if (isBuffered) return undefined;
      sendHead(exchange, head.status, selectHeaders(head));
      return response;
    },
    // A write continues after its client has disconnected.
    client: operation.access === 'read' ? response : undefined,
    deadlineMs: ctx.config.UPSTREAM_TIMEOUT_MS,
  });
}

/** The headers that a service receives. Of the client's own headers only `Idempotency-Key` is passed on. */
function callerHeaders(exchange: Exchange, { config, now }: EdgeContext): Record<string, string> {
  const { requestId, acquiredKey, lines } = exchange;
  const { keyId, keyPrefix, owner, scopes, link } = getAccess(exchange);
  const { operation, orgId } = getRoute(exchange);
  const ownLink = { scope: 'owner', externalRef: null } as const;
  const caller = {
    requestId,
    keyId,
    keyPrefix,
    owner,
    orgId,
    link: owner.kind === 'organisation' ? ownLink : link,
    scopes,
    operation: operation.id,
    operationId: acquiredKey?.operationId ?? null,
    expiresAt: now().getTime() + config.UPSTREAM_TIMEOUT_MS + callerGraceMs,
  };
  const key = headerValue(lines, 'idempotency-key');
  return {
    [callerHeader]: signCaller(caller, config.CALLER_SECRETS[0] ?? ''),
    ...(operation.idempotent && key !== undefined ? { 'idempotency-key': key } : {}),
  };
}

/** Rejects responses that a healthy service never sends: no JSON, a redirect, or a refusal that only the edge sends. */
function checkHead({ status, headers }: UpstreamHead): void {
  const json = headers['content-type']?.toString().startsWith('application/json') ?? false;
  if (json && status !== 401 && (status < 300 || status >= 400)) return;
  throw new ApiError('api_unavailable', {
    cause: new Error(`invalid response of the service: status ${status}, JSON: ${json}`),
  });
}

function selectHeaders({ headers }: UpstreamHead): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (value !== undefined) selected[name] = String(value);
  }
  return selected;
}

function sendBuffered(exchange: Exchange, upstreamResponse: UpstreamResponse): void {
  const { response, request } = exchange;
  if (response.destroyed) return;
  if (upstreamResponse.status === 503) {
    removeRateLimit(exchange);
    exchange.headers['retry-after'] = String(unavailableRetrySeconds);
  }
  // The gateway has no stored response, but the service replayed the one that it recorded.
  if (
    exchange.acquiredKey !== undefined &&
    upstreamResponse.status < 500 &&
    upstreamResponse.headers[replayedHeader] === 'true'
  ) {
    markReplayed(exchange);
  }
  const length = request.method === 'HEAD' ? {} : { 'content-length': upstreamResponse.body.length };
  sendHead(exchange, upstreamResponse.status, { ...selectHeaders(upstreamResponse), ...length });
  response.end(upstreamResponse.body);
}
