import type { Operation } from '@bv/contract';
import type { Request, Response } from 'express';
import { InvalidCallerError, answerJson } from './answer.ts';
import { checked } from './check-answer.ts';
import { headerText } from './header-text.ts';
import { publishedHeader, publishedHeaderOf } from './published.ts';
import type { FlushEvents } from './published.ts';
import { readJsonBody } from './read-body.ts';
import { stateOf } from './request-state.ts';
import type { HandlerInput, Result, Route } from './route.ts';
import { validate, validateQuery } from './validate.ts';

export type HandlingOptions = { checkResponses: boolean; flushEvents: FlushEvents | undefined };

/** Params, query and body judged in this order, then the handler, then its answer. */
export function handleOperation(route: Route, options: HandlingOptions) {
  const { operation, handler } = route;
  return async (request: Request, response: Response): Promise<void> => {
    const input = await readInput(route, request, response);
    const result = await (options.checkResponses ? checked(operation, handler(input)) : handler(input));
    await announceEvents(result, response, options.flushEvents);
    answerJson(response, operation.success.status, wireBody(result));
  };
}

async function readInput(
  route: Route,
  request: Request,
  response: Response,
): Promise<HandlerInput<Operation, unknown, unknown>> {
  const { operation } = route;
  const state = stateOf(response);
  state.operation = operation.id;
  const { caller, requestId } = state;
  // An operator's call and a customer's are never taken for each other, whatever the gateway does.
  if (!caller || (caller.owner.kind === 'operator') !== (operation.plane === 'operator')) {
    throw new InvalidCallerError('the caller is of the other plane');
  }
  const params = validate(operation.params, request.params);
  const query = validateQuery(operation.query, request.query);
  const { body, sentBody } = await readBody(route, request);
  const key = request.get('idempotency-key');
  const idempotencyKey = key === undefined ? null : headerText(key);
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
  if (!flushEvents) throw new Error('a handler returned eventIds, but the app was given no flushEvents');
  response.setHeader(publishedHeader, await publishedHeaderOf(eventIds, flushEvents));
}

function wireBody(result: Result<Operation>): object {
  return 'pagination' in result
    ? { data: result.data, pagination: result.pagination }
    : { data: result.data };
}
