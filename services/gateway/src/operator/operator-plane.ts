import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, operatorOperations } from '@bv/contract';
import type { Operation } from '@bv/contract';
import { callerHeader, publishedHeader, readPublished, signCaller } from '@bv/http';
import type { Logger } from '@bv/telemetry';
import type { Config } from '../config.ts';
import { buildRouteTable } from '../domain/route-table.ts';
import type { Messaging } from '../events/messaging.ts';
import { declaresBody } from '../edge/body-deadline.ts';
import { originForm } from '../edge/edge.ts';
import type { EdgeRequest } from '../edge/exchange.ts';
import { hasConflict, headerValue, readHeaderLines } from '../edge/header-lines.ts';
import type { HeaderLines } from '../edge/header-lines.ts';
import { checkReadable, openBody, sendContinue } from '../edge/read-body.ts';
import { rejectBodyOnRead } from '../edge/reject-body-on-read.ts';
import { hasUncertainEnd, rejectMalformed } from '../edge/reject-malformed.ts';
import { queueOf } from '../edge/request-queue.ts';
import type { UpstreamAnswer } from '../upstream/answer-handler.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { answerOperator, refuseOperator } from './answer-operator.ts';
import { requireApplied } from './require-applied.ts';

export type OperatorContext = { config: Config; messaging: Messaging; upstreams: Upstreams; log: Logger };

const prefix = '/operator/v1';
const routes = buildRouteTable(operatorOperations);
const answerTimeoutMs = 5 * 60_000;
/** Imports stream for as long as they are long; this is for the answer, after all the days they touch are scored. */
const importTimeoutMs = 60 * 60_000;

/** The operator's listener: a token instead of a key, nothing counted, every change answered when it is everywhere. */
export function createOperatorPlane(context: OperatorContext): RequestListener {
  return (incoming, response) => {
    // Node always sets both for a request that a server has received.
    const request = incoming as EdgeRequest;
    request.url = originForm(request.url);
    const open: OpenCall = {
      request,
      lines: readHeaderLines(request.rawHeaders),
      declaresBody: declaresBody(request),
      response,
      requestId: randomUUID(),
      startedAt: performance.now(),
      operation: undefined,
    };
    response.setHeader('x-request-id', open.requestId);
    response.once('close', () => logRequest(open, context.log));
    queueOf(request.socket).add({
      request,
      response,
      declaresBody: open.declaresBody,
      isLast: hasUncertainEnd(open),
      start: () => void run(open, context),
      refuse: (error) => refuse(open, error, context.log),
    });
  };
}

type OpenCall = {
  readonly request: EdgeRequest;
  readonly lines: HeaderLines;
  readonly declaresBody: boolean;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  operation: Operation | undefined;
};

function logRequest({ request, response, operation, requestId, startedAt }: OpenCall, log: Logger): void {
  // A body that was not read to its end must not hold up the next request.
  request.resume();
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
  const line = { requestId, operation: operation?.id ?? 'unmatched', method: request.method };
  log.info({ ...line, status: response.statusCode, durationMs }, 'operator request');
}

async function run(call: OpenCall, context: OperatorContext): Promise<void> {
  const { request, response } = call;
  if (response.headersSent) return;
  try {
    rejectMalformed(call);
    requireToken(call, context.config.OPERATOR_TOKEN);
    rejectBodyOnRead(call);
    const [path = ''] = request.url.split('?', 1);
    const match = path.startsWith(`${prefix}/`)
      ? routes.match(request.method, path.slice(prefix.length))
      : undefined;
    if (match === undefined) throw new ApiError('not_found');
    call.operation = match.operation;
    const answer = await callOwner(call, match.operation, context);
    await requireApplied(readPublished(answer.headers[publishedHeader]?.toString()), context);
    if (!response.headersSent) answerOperator(response, answer);
  } catch (error) {
    refuse(call, error, context.log);
  }
}

/** The rest of the body is received and dropped, also while the client does not read its response. */
function refuse({ request, response, requestId }: OpenCall, error: unknown, log: Logger): void {
  request.resume();
  refuseOperator(response, error, requestId, log);
}

/** Hashes are of one length whatever was sent, so the comparison tells nothing about the token's. */
function requireToken({ lines }: OpenCall, token: string): void {
  const header = hasConflict(lines, 'authorization') ? '' : headerValue(lines, 'authorization');
  const presented = /^bearer +(\S+)\s*$/i.exec(header ?? '')?.[1] ?? '';
  const [given, expected] = [presented, token].map((text) => createHash('sha256').update(text).digest());
  if (given === undefined || expected === undefined || !timingSafeEqual(given, expected)) {
    throw new ApiError('invalid_operator_token');
  }
}

async function callOwner(
  open: OpenCall,
  operation: Operation,
  { config, upstreams }: OperatorContext,
): Promise<UpstreamAnswer> {
  const { request, requestId } = open;
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
      expiresAt: Date.now() + answerTimeoutMs,
    },
    config.CALLER_SECRETS[0] ?? '',
  );
  const streamed = operation.bodyKind === 'ndjson';
  const body = operation.access === 'read' ? null : streamed ? streamBody(open) : await readWhole(open);
  const contentType = streamed ? 'application/x-ndjson' : 'application/json';
  const call = {
    method: request.method,
    path: request.url,
    headers: { [callerHeader]: caller, ...(body === null ? {} : { 'content-type': contentType }) },
    body: Buffer.isBuffer(body) && body.length === 0 ? null : body,
  };
  const silenceMs = streamed ? importTimeoutMs : answerTimeoutMs;
  return upstreams.deliver(operation.service, call, {
    target: () => undefined,
    client: undefined,
    silenceMs,
  });
}

async function readWhole(open: OpenCall): Promise<Buffer | null> {
  checkReadable(open);
  if (!open.declaresBody) return null;
  const body = openBody(open);
  if (body === undefined) throw new ApiError('payload_too_large');
  sendContinue(open, open.response);
  return body.read();
}

/** Its iterator joins the pieces that have arrived: one write for each would cost far more than the bytes. */
function streamBody(open: OpenCall): Readable {
  checkReadable(open);
  sendContinue(open, open.response);
  return Readable.from(open.request.iterator({ destroyOnReturn: false }));
}
