import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { inTrace } from '@bv/telemetry';
import type { EdgeContext } from '../context.ts';
import { perTurn } from '../per-turn.ts';
import { closeOnSlowBody, declaresBody } from './body-deadline.ts';
import type { EdgeRequest, Exchange } from './exchange.ts';
import { findRoute } from './find-route.ts';
import { observeEnd } from './observe-end.ts';
import { documentPipeline, publicPipeline } from './pipeline.ts';
import { refuse } from './refuse.ts';

const absoluteForm = /^https?:\/\/[^/?#]*(.*)$/i;
const noBody = { raw: Buffer.alloc(0), json: undefined };
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
    begin(inTrace(() => void run(exchange, context)));
  };
}

/** `GET http://host/v1/orgs` asks for the same as `GET /v1/orgs`; which host it names decides nothing. */
function originForm(target: string): string {
  const path = absoluteForm.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

async function run(exchange: Exchange, context: EdgeContext): Promise<void> {
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
  const exchange: Exchange = {
    request,
    response,
    requestId,
    startedAt: performance.now(),
    declaresBody: declaresBody(request),
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
  if (exchange.declaresBody) closeOnSlowBody(request, context.config.BODY_TIMEOUT_MS);
  observeEnd(exchange, context);
  return exchange;
}
