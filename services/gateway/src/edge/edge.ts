import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { ApiError } from '@bv/contract';
import { batchPerTick } from '@bv/resilience';
import { inTrace } from '@bv/telemetry';
import type { EdgeContext } from '../context.ts';
import { observeEnd } from './access-log.ts';
import { noBody } from './exchange.ts';
import type { EdgeRequest, Exchange } from './exchange.ts';
import { readHeaderLines } from './header-lines.ts';
import { runPipeline } from './pipeline.ts';
import type { Step } from './pipeline.ts';
import { closeOnSlowBody, declaresBody, openBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import { hasUncertainEnd } from './checks.ts';
import { getQueue } from './request-queue.ts';

const absoluteForm = /^https?:\/\/[^/?#]*(.*)$/i;
const publicPath = /^\/v1(?:[/?]|$)/;
const mcpPath = /^\/mcp(?:\?|$)/;

/** The steps of requests to `/v1`, to `/mcp` and to all other paths. */
type Pipelines = Readonly<Record<'v1' | 'mcp' | 'documents', readonly Step[]>>;

/** Runs the steps of the pipeline for every request of the public listener. */
export function createEdge(ctx: EdgeContext, pipelines: Pipelines): RequestListener {
  const begin = batchPerTick<() => void>((requests) => {
    for (const start of requests) start();
  });
  return (incoming, response) => {
    // Node always sets `method` and `url` of a server request.
    const request = incoming as EdgeRequest;
    request.url = originForm(request.url);
    const exchange = openExchange(request, response, ctx);
    const runInTrace = inTrace(() => void run(exchange, ctx, pipelines));
    getQueue(request.socket).add({
      request,
      response,
      declaresBody: exchange.declaresBody,
      isLast: hasUncertainEnd(exchange),
      start: () => {
        if (exchange.declaresBody) closeOnSlowBody(request, ctx.config.BODY_TIMEOUT_MS);
        begin(runInTrace);
      },
      refuse: (error) => refuseUnreadable(exchange, error, ctx),
    });
  };
}

/** Refuses a request that cannot be parsed, whatever step it has reached. */
function refuseUnreadable(exchange: Exchange, error: ApiError, { log }: EdgeContext): void {
  if (exchange.response.headersSent) return;
  exchange.hasResponse = true;
  refuse(exchange, error, log);
}

/** Converts `http://host/v1/orgs` to `/v1/orgs`. The host is ignored. */
export function originForm(target: string): string {
  const path = absoluteForm.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

async function run(exchange: Exchange, ctx: EdgeContext, { v1, mcp, documents }: Pipelines): Promise<void> {
  if (exchange.hasResponse) return;
  const { url } = exchange.request;
  const pipeline = publicPath.test(url) ? v1 : mcpPath.test(url) ? mcp : documents;
  await runPipeline(pipeline, exchange, ctx);
}

function openExchange(request: EdgeRequest, response: ServerResponse, ctx: EdgeContext): Exchange {
  // A request id of the client is not trusted.
  const requestId = randomUUID();
  const message = {
    request,
    lines: readHeaderLines(request.rawHeaders),
    declaresBody: declaresBody(request),
  };
  const exchange: Exchange = {
    ...message,
    incomingBody: openBody(message),
    response,
    requestId,
    startedAt: performance.now(),
    peerAddress: request.socket.remoteAddress,
    route: undefined,
    headers: { 'x-request-id': requestId, 'cache-control': 'no-store' },
    address: '',
    presentedKey: '',
    access: undefined,
    chargedMonth: null,
    idempotencyKey: null,
    body: noBody,
    acquiredKey: undefined,
    replayed: false,
    mcp: undefined,
    errorCode: undefined,
    hasResponse: false,
  };
  observeEnd(exchange, ctx);
  return exchange;
}
