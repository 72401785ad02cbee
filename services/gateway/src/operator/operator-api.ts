import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, operatorOperations } from '@bv/contract';
import type { Operation } from '@bv/contract';
import { waitApplied } from '@bv/events';
import type { Published } from '@bv/events';
import { callerHeader, publishedHeader, readPublished, signCaller } from '@bv/http';
import type { Logger } from '@bv/telemetry';
import type { OperatorContext } from '../context.ts';
import { buildRouteTable } from '../domain/routes.ts';
import { findDocument } from '../edge/serve-document.ts';
import { originForm } from '../edge/edge.ts';
import type { EdgeRequest } from '../edge/exchange.ts';
import { hasConflict, headerValue, readHeaderLines } from '../edge/header-lines.ts';
import type { HeaderLines } from '../edge/header-lines.ts';
import { checkReadable, declaresBody, openBody, sendContinue } from '../edge/read-body.ts';
import { hasUncertainEnd, refuseBodyOnRead, refuseMalformed } from '../edge/checks.ts';
import { getQueue } from '../edge/request-queue.ts';
import { UpstreamFailure } from '../upstream/response-handler.ts';
import type { UpstreamResponse } from '../upstream/response-handler.ts';
import { sendOperatorResponse, refuseOperator } from './send-operator-response.ts';

const prefix = '/operator/v1';
const routes = buildRouteTable(operatorOperations);
const responseTimeoutMs = 5 * 60_000;
/** Maximum wait for the response of an import, which scores all its days after the body has ended. */
const importTimeoutMs = 60 * 60_000;

/** The operator API: a token instead of a key, no rate limits. A change returns after all services have applied it. */
export function createOperatorApi(ctx: OperatorContext): RequestListener {
  return (incoming, response) => {
    // Node always sets both for a request that a server has received.
    const request = incoming as EdgeRequest;
    request.url = originForm(request.url);
    const call: OperatorCall = {
      request,
      lines: readHeaderLines(request.rawHeaders),
      declaresBody: declaresBody(request),
      response,
      requestId: randomUUID(),
      startedAt: performance.now(),
      operation: undefined,
    };
    response.setHeader('x-request-id', call.requestId);
    response.once('close', () => logRequest(call, ctx.log));
    getQueue(request.socket).add({
      request,
      response,
      declaresBody: call.declaresBody,
      isLast: hasUncertainEnd(call),
      start: () => void run(call, ctx),
      refuse: (error) => refuse(call, error, ctx.log),
    });
  };
}

type OperatorCall = {
  readonly request: EdgeRequest;
  readonly lines: HeaderLines;
  readonly declaresBody: boolean;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  operation: Operation | undefined;
};

function logRequest({ request, response, operation, requestId, startedAt }: OperatorCall, log: Logger): void {
  // The rest of an unread body must not block the next request.
  request.resume();
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const line = { requestId, operation: operation?.id ?? 'unmatched', method: request.method };
  log.info({ ...line, status: response.statusCode, durationMs }, 'operator request');
}

async function run(call: OperatorCall, ctx: OperatorContext): Promise<void> {
  const { request, response } = call;
  if (response.headersSent) return;
  try {
    refuseMalformed(call);
    // Pages need no token: they hold no data, and a browser cannot send one.
    if (await serveDocument(call, ctx)) return;
    requireToken(call, ctx.config.OPERATOR_TOKEN);
    refuseBodyOnRead(call);
    const [path = ''] = request.url.split('?', 1);
    if (path === '/openapi.json' && request.method === 'GET' && ctx.operatorDocument !== undefined) {
      const headers = { 'content-type': 'application/json' };
      sendOperatorResponse(response, { status: 200, headers, body: ctx.operatorDocument });
      return;
    }
    const match = path.startsWith(`${prefix}/`)
      ? routes.match(request.method, path.slice(prefix.length))
      : undefined;
    if (match === undefined) throw new ApiError('not_found');
    call.operation = match.operation;
    const serviceResponse = await callOwner(call, match.operation, ctx);
    await waitUntilApplied(readPublished(serviceResponse.headers[publishedHeader]?.toString()), ctx);
    if (!response.headersSent) sendOperatorResponse(response, serviceResponse);
  } catch (error) {
    refuse(call, error, ctx.log);
  }
}

/** Whether the path is that of a page. */
async function serveDocument({ request, response }: OperatorCall, ctx: OperatorContext): Promise<boolean> {
  if (!/^\/(?:docs(?:[/?]|$)|$)/.test(request.url)) return false;
  const found = await findDocument(request, ctx.documents);
  if (found === undefined) return false;
  response.writeHead(found.status, found.headers);
  response.end(found.body);
  return true;
}

/** The rest of the body is received and dropped, also while the client does not read its response. */
function refuse({ request, response, requestId }: OperatorCall, error: unknown, log: Logger): void {
  request.resume();
  refuseOperator(response, error, requestId, log);
}

/** Compares hashes, which have the same length, so that timing reveals nothing about the token. */
function requireToken({ lines }: OperatorCall, token: string): void {
  const header = hasConflict(lines, 'authorization') ? '' : headerValue(lines, 'authorization');
  const presented = /^bearer +(\S+)\s*$/i.exec(header ?? '')?.[1] ?? '';
  const [received, expected] = [presented, token].map((text) => createHash('sha256').update(text).digest());
  if (received === undefined || expected === undefined || !timingSafeEqual(received, expected)) {
    throw new ApiError('invalid_operator_token');
  }
}

async function callOwner(
  operatorCall: OperatorCall,
  operation: Operation,
  { config, upstreams, now }: OperatorContext,
): Promise<UpstreamResponse> {
  const { request, requestId } = operatorCall;
  const caller = signCaller(
    {
      requestId,
      keyId: 'operator',
      keyPrefix: 'operator',
      owner: { kind: 'operator', id: 'operator' },
      orgId: null,
      link: null,
      scopes: ['read', 'write'],
      operation: operation.id,
      operationId: null,
      expiresAt: now().getTime() + responseTimeoutMs,
    },
    config.CALLER_SECRETS[0] ?? '',
  );
  const isStreamed = operation.bodyKind === 'ndjson';
  const body =
    operation.access === 'read'
      ? null
      : isStreamed
        ? streamBody(operatorCall)
        : await readFullBody(operatorCall);
  const contentType = isStreamed ? 'application/x-ndjson' : 'application/json';
  const call = {
    method: request.method,
    path: request.url,
    headers: { [callerHeader]: caller, ...(body === null ? {} : { 'content-type': contentType }) },
    body: Buffer.isBuffer(body) && body.length === 0 ? null : body,
  };
  const idleTimeoutMs = isStreamed ? importTimeoutMs : responseTimeoutMs;
  try {
    const delivery = { target: () => undefined, client: undefined, idleTimeoutMs };
    return await upstreams.deliver(operation.service, call, delivery);
  } catch (cause) {
    if (!(cause instanceof UpstreamFailure)) throw cause;
    throw new ApiError('api_unavailable', { message: `${operation.service} cannot answer now`, cause });
  }
}

async function readFullBody(call: OperatorCall): Promise<Buffer | null> {
  checkReadable(call);
  if (!call.declaresBody) return null;
  const body = openBody(call);
  if (body === undefined) throw new ApiError('payload_too_large');
  sendContinue(call, call.response);
  return body.read();
}

/** The iterator joins pieces that have arrived. One write for each piece would cost far more than its bytes. */
function streamBody(call: OperatorCall): Readable {
  checkReadable(call);
  sendContinue(call, call.response);
  return Readable.from(call.request.iterator({ destroyOnReturn: false }));
}

/** Waits until every service has applied the events, so that the next public request sees the change. Else throws 503. */
async function waitUntilApplied(
  published: readonly Published[],
  { getNats, config }: OperatorContext,
): Promise<void> {
  if (published.length === 0) return;
  const nats = getNats();
  const applied = await waitApplied({ nats, published, timeoutMs: config.APPLY_TIMEOUT_MS });
  if (applied.ok) return;
  const { waitingFor } = applied;
  throw new ApiError('api_unavailable', {
    message: `The change is stored, but has not been applied yet by: ${waitingFor.join(', ')}`,
    details: { stored: true, waiting_for: waitingFor },
    retryAfterSeconds: 5,
  });
}
