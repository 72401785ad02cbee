import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { ApiError, operatorOperations } from '@bv/contract';
import type { Operation } from '@bv/contract';
import { callerHeader, publishedHeader, readPublished, signCaller } from '@bv/http';
import type { Logger } from '@bv/telemetry';
import express from 'express';
import type { Express, Request, Response } from 'express';
import type { Config } from '../config.ts';
import { buildRouteTable } from '../domain/route-table.ts';
import type { Messaging } from '../events/messaging.ts';
import { checkReadable, collect } from '../edge/read-body.ts';
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
export function createOperatorPlane(context: OperatorContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response) => {
    void run(request, response, context);
  });
  return app;
}

async function run(request: Request, response: Response, context: OperatorContext): Promise<void> {
  const requestId = randomUUID();
  const startedAt = performance.now();
  response.setHeader('x-request-id', requestId);
  let operation: Operation | undefined;
  response.once('close', () => {
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const line = { requestId, operation: operation?.id ?? 'unmatched', method: request.method };
    context.log.info({ ...line, status: response.statusCode, durationMs }, 'operator request');
  });
  try {
    requireToken(request, context.config.OPERATOR_TOKEN);
    const path = request.path;
    const match = path.startsWith(`${prefix}/`)
      ? routes.match(request.method, path.slice(prefix.length))
      : undefined;
    if (match === undefined) throw new ApiError('not_found');
    operation = match.operation;
    const answer = await callOwner(request, response, { operation, requestId }, context);
    await requireApplied(readPublished(answer.headers[publishedHeader]?.toString()), context);
    answerOperator(response, answer);
  } catch (error) {
    refuseOperator(response, error, requestId, context.log);
  }
}

/** Hashes are of one length whatever was sent, so the comparison tells nothing about the token's. */
function requireToken({ headers }: Request, token: string): void {
  const presented = /^bearer +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const [given, expected] = [presented, token].map((text) => createHash('sha256').update(text).digest());
  if (given === undefined || expected === undefined || !timingSafeEqual(given, expected)) {
    throw new ApiError('invalid_operator_token');
  }
}

type OperatorCall = { operation: Operation; requestId: string };

async function callOwner(
  request: Request,
  response: Response,
  { operation, requestId }: OperatorCall,
  { config, upstreams }: OperatorContext,
): Promise<UpstreamAnswer> {
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
  if (operation.access !== 'read') checkReadable(request);
  const body = operation.access === 'read' ? null : streamed ? request : await collect(request, response);
  const contentType = streamed ? 'application/x-ndjson' : 'application/json';
  const call = {
    method: request.method,
    path: request.originalUrl,
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
