import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { ApiError } from '@bv/contract';
import { inTrace } from '@bv/telemetry';
import type { EdgeContext } from '../context.ts';
import { perTurn } from '../per-turn.ts';
import { closeOnSlowBody, declaresBody } from './body-deadline.ts';
import { noBody } from './exchange.ts';
import type { EdgeRequest, Exchange } from './exchange.ts';
import { findRoute } from './find-route.ts';
import { readHeaderLines } from './header-lines.ts';
import { observeEnd } from './observe-end.ts';
import { documentPipeline, publicPipeline } from './pipeline.ts';
import { openBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import { hasUncertainEnd } from './reject-malformed.ts';
import { queueOf } from './request-queue.ts';

const absoluteForm = /^https?:\/\/[^/?#]*(.*)$/i;
const publicPath = /^\/v1(?:[/?]|$)/;

/** Takes every request of the public listener through the steps, to its one answer. */
export function createEdge(context: EdgeContext): RequestListener {
  const begin = perTurn<() => void>((requests) => {
    for (const start of requests) start();
  });
  return (incoming, response) => {
    // Of a request that a server has received Node always tells both.
    const request = incoming as EdgeRequest;
    request.url = originForm(request.url);
    const exchange = openExchange(request, response, context);
    const runInTrace = inTrace(() => void run(exchange, context));
    queueOf(request.socket).add({
      request,
      response,
      declaresBody: exchange.declaresBody,
      isLast: hasUncertainEnd(exchange),
      start: () => {
        if (exchange.declaresBody) closeOnSlowBody(request, context.config.BODY_TIMEOUT_MS);
        begin(runInTrace);
      },
      refuse: (error) => refuseUnreadable(exchange, error, context),
    });
  };
}

/** Whatever the steps have found out so far: the bytes of the request are wrong. */
function refuseUnreadable(exchange: Exchange, error: ApiError, { log }: EdgeContext): void {
  if (exchange.response.headersSent) return;
  exchange.answered = true;
  refuse(exchange, error, log);
}

/** `GET http://host/v1/orgs` asks for the same as `GET /v1/orgs`; which host it names decides nothing. */
export function originForm(target: string): string {
  const path = absoluteForm.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

async function run(exchange: Exchange, context: EdgeContext): Promise<void> {
  if (exchange.answered) return;
  try {
    const pipeline = publicPath.test(exchange.request.url) ? publicPipeline : documentPipeline;
    exchange.route = findRoute(exchange.request, context.routes);
    for (const step of pipeline) {
      const pending = step(exchange, context);
      if (pending !== undefined) await pending;
      if (exchange.answered) return;
    }
  } catch (error) {
    refuse(exchange, error, context.log);
  }
}

function openExchange(request: EdgeRequest, response: ServerResponse, context: EdgeContext): Exchange {
  // An inbound id is not trusted.
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
    claim: undefined,
    replayed: false,
    errorCode: undefined,
    answered: false,
  };
  observeEnd(exchange, context);
  return exchange;
}
