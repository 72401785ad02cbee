import { ApiError } from '@bv/contract';
import { replayedHeader } from '@bv/http';
import type { EdgeContext } from '../context.ts';
import { refusalCode } from '../upstream/answer-handler.ts';
import type { UpstreamAnswer, UpstreamHead, UpstreamRequest } from '../upstream/answer-handler.ts';
import { callerHeaders } from './caller-headers.ts';
import { accessOf, routeOf, sendHead, tellReplay } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { removeRateLimit } from './rate-limit-headers.ts';
import { unavailableRetrySeconds } from './refuse.ts';
import { settleClaim, settleFailure } from './settle-claim.ts';

/** Answer headers that concern the client; everything else a service says stays inside. */
const passedHeaders = ['content-type', 'content-length', 'retry-after'] as const;

/** Sends the request to its service: the answer streams through, unless the edge has to read it. */
export async function forward(exchange: Exchange, context: EdgeContext): Promise<void> {
  const answer = await callService(exchange, context).catch(async (error: unknown) => {
    await settleFailure(exchange, error, context);
    throw error;
  });
  exchange.answered = true;
  if (exchange.response.headersSent) return;
  await settleClaim(exchange, answer, context);
  await refundRefusedPlan(exchange, answer, context);
  sendBuffered(exchange, answer);
}

function callService(exchange: Exchange, context: EdgeContext): Promise<UpstreamAnswer> {
  const { request, response, claim } = exchange;
  const { operation, target } = routeOf(exchange);
  const { raw } = exchange.body;
  const call: UpstreamRequest = {
    method: request.method,
    path: target,
    headers: {
      ...callerHeaders(exchange, context.config),
      ...(raw.length === 0 ? {} : { 'content-type': 'application/json' }),
    },
    body: raw.length === 0 ? null : raw,
  };
  return context.upstreams.deliver(operation.service, call, {
    target: (head) => {
      checkHead(head);
      const keep = claim !== undefined || head.status === 403 || head.status >= 500;
      if (keep) return undefined;
      sendHead(exchange, head.status, passed(head));
      return response;
    },
    // A write goes on when its client has hung up.
    client: operation.access === 'read' ? response : undefined,
    deadlineMs: context.config.UPSTREAM_TIMEOUT_MS,
  });
}

/** No JSON, a redirect, or a refusal of the edge itself: whatever answered is not the service in its right mind. */
function checkHead({ status, headers }: UpstreamHead): void {
  const json = headers['content-type']?.toString().startsWith('application/json') ?? false;
  if (json && status !== 401 && (status < 300 || status >= 400)) return;
  throw new ApiError('api_unavailable', {
    cause: new Error(`the service answered ${status}, JSON: ${json}`),
  });
}

function passed({ headers }: UpstreamHead): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value);
  }
  return kept;
}

function sendBuffered(exchange: Exchange, answer: UpstreamAnswer): void {
  const { response, request } = exchange;
  if (response.destroyed) return;
  if (answer.status === 503) {
    removeRateLimit(exchange);
    exchange.headers['retry-after'] = String(unavailableRetrySeconds);
  }
  // The first try's answer was not kept here: what the service had recorded of it is told.
  if (exchange.claim !== undefined && answer.status < 500 && answer.headers[replayedHeader] === 'true') {
    tellReplay(exchange);
  }
  const length = request.method === 'HEAD' ? {} : { 'content-length': answer.body.length };
  sendHead(exchange, answer.status, { ...passed(answer), ...length });
  response.end(answer.body);
}

/** A plan that a service refuses costs the month nothing, just as one that the edge refuses. */
async function refundRefusedPlan(
  exchange: Exchange,
  answer: UpstreamAnswer,
  { allowance, usage, log }: EdgeContext,
): Promise<void> {
  const { chargedMonth } = exchange;
  if (answer.status !== 403 || chargedMonth === null) return;
  if (refusalCode(answer) !== 'tier_not_entitled') return;
  const access = accessOf(exchange);
  usage.add(access.keyId, chargedMonth, -1);
  await allowance.refund(access, chargedMonth).catch((cause: unknown) => {
    log.warn({ err: cause, requestId: exchange.requestId }, 'a unit of the month is not given back');
  });
}
