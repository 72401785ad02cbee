import { ApiError, errorCodes } from '@bv/contract';
import type { Operation } from '@bv/contract';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { replayedHeader } from './process-once.ts';
import { publishedHeader, buildPublishedHeader } from './published.ts';
import type { FlushEvents } from './published.ts';
import { readInput } from './read-input.ts';
import type { Result, Route } from './route.ts';
import { sendJson } from './send-response.ts';

export type HandlingOptions = { checkResponses: boolean; flushEvents: FlushEvents | undefined };

/** Validates the request, runs the handler and sends its result. */
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

/** Throws if the result or refusal of a handler violates its contract. Used in tests and the local stack. */
async function checkResponse(
  operation: Operation,
  pending: Promise<Result<Operation>>,
): Promise<Result<Operation>> {
  try {
    const result = await pending;
    checkResult(operation, result);
    return result;
  } catch (error) {
    if (error instanceof ApiError) checkRefusal(operation, error);
    throw error;
  }
}

function checkResult({ id, success }: Operation, result: Result<Operation>): void {
  const isList = 'pagination' in result;
  if (isList !== (success.kind === 'list')) throw new Error(`${id} must return ${success.kind} data`);
  checkMatches(
    success.kind === 'list' ? z.array(success.data) : success.data,
    result.data,
    `${id} returned data`,
  );
}

function checkRefusal({ id, errors }: Operation, refusal: ApiError): void {
  const { code, details } = refusal;
  if (!errors.includes(code)) {
    throw new Error(`${id} refused with ${code}, which its contract does not name`, { cause: refusal });
  }
  if (details !== undefined)
    checkMatches(errorCodes[code].details ?? z.undefined(), details, `${id} returned ${code} details`);
}

function checkMatches(schema: z.ZodType, value: unknown, what: string): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new Error(`${what} that its contract does not allow: ${z.prettifyError(parsed.error)}`);
}
