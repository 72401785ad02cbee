import { ApiError } from '@bv/contract';
import type { Operation } from '@bv/contract';
import type { Request, Response } from 'express';
import { InvalidCallerError, sendJson } from './send-response.ts';
import { checkResponse } from './check-response.ts';
import { decodeHeader } from './decode-header.ts';
import { replayedHeader } from './process-once.ts';
import { publishedHeader, buildPublishedHeader } from './published.ts';
import type { FlushEvents } from './published.ts';
import type { Caller } from './caller.ts';
import { readJsonBody } from './read-body.ts';
import { getState } from './request-state.ts';
import type { HandlerInput, Result, Route } from './route.ts';
import { validate, validateQuery } from './validate.ts';

export type HandlingOptions = { checkResponses: boolean; flushEvents: FlushEvents | undefined };

/** Validates params, organisation, query and body in this order, runs the handler and sends its result. */
export function handleOperation(route: Route, options: HandlingOptions) {
  const { operation, handler } = route;
  return async (request: Request, response: Response): Promise<void> => {
    const input = await readInput(route, request, response);
    const result = await (options.checkResponses ? checkResponse(operation, handler(input)) : handler(input));
    await announceEvents(result, response, options.flushEvents);
    if (result.replayed) response.setHeader(replayedHeader, 'true');
    sendJson(response, operation.success.status, wireBody(result));
  };
}

async function readInput(
  route: Route,
  request: Request,
  response: Response,
): Promise<HandlerInput<Operation, unknown, unknown>> {
  const { operation } = route;
  const state = getState(response);
  state.operation = operation.id;
  const { caller, requestId } = state;
  // Defence in depth: public operations reject operator callers, operator operations reject all others.
  if (!caller || (caller.owner.kind === 'operator') !== (operation.api === 'operator')) {
    throw new InvalidCallerError('the caller belongs to the other API');
  }
  const params = validate(operation.params, request.params);
  checkOrg(operation, params, caller);
  const query = validateQuery(operation.query, request.query);
  const { body, sentBody } = await readBody(route, request);
  const key = request.get('idempotency-key');
  const idempotencyKey = key === undefined ? null : decodeHeader(key);
  return {
    params,
    query,
    body,
    sentBody,
    caller,
    requestId,
    idempotencyKey,
    get log() {
      return state.log;
    },
  };
}

/** A public call may access only the organisation that the gateway has authorised. Operators may access all. */
function checkOrg({ api }: Operation, params: unknown, caller: Caller): void {
  const { orgId } = params as { orgId?: string };
  if (api === 'public' && orgId !== undefined && orgId !== caller.orgId) throw new ApiError('not_found');
}

async function readBody({ operation, bodyMode }: Route, request: Request) {
  if (bodyMode === 'stream') return { body: request, sentBody: undefined };
  if (operation.body === null) return { body: undefined, sentBody: undefined };
  const sentBody = await readJsonBody(request);
  return { body: validate(operation.body, sentBody), sentBody };
}

async function announceEvents(
  { eventIds = [] }: Result<Operation>,
  response: Response,
  flushEvents: FlushEvents | undefined,
): Promise<void> {
  if (eventIds.length === 0) return;
  if (!flushEvents) throw new Error('a handler returned eventIds, but the app has no flushEvents');
  response.setHeader(publishedHeader, await buildPublishedHeader(eventIds, flushEvents));
}

function wireBody(result: Result<Operation>): object {
  return 'pagination' in result
    ? { data: result.data, pagination: result.pagination }
    : { data: result.data };
}
