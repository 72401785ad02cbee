import type { IncomingMessage } from 'node:http';
import { ApiError, zodToApiError } from '@bv/contract';
import type { Operation } from '@bv/contract';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from './caller.ts';
import { ClientGoneError, IncomingBody } from './incoming-body.ts';
import { getState, InvalidCallerError } from './observe.ts';
import type { HandlerInput, Route } from './route.ts';

/** Checks the caller and validates params, organisation, query and body, in this order. Throws the refusal. */
export async function readInput(
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

/** Parses the value with the schema. Throws the ApiError of the contract for its issues. */
function validate(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw zodToApiError(parsed.error);
}

/** Like `validate`, but a repeated parameter is always `invalid_type`, whatever its schema reports. */
function validateQuery(schema: z.ZodType, query: Readonly<Record<string, unknown>>): unknown {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const repeated = new Set<PropertyKey>();
  const issues = parsed.error.issues.flatMap((issue) => {
    const [name] = issue.path;
    if (name === undefined || !Array.isArray(query[String(name)])) return [issue];
    if (repeated.has(name)) return [];
    repeated.add(name);
    return [repeatedParameter(name)];
  });
  throw refusal(issues);
}

function repeatedParameter(name: PropertyKey): z.core.$ZodIssue {
  const message = 'Invalid input: expected one value, received several';
  return { code: 'invalid_type', expected: 'string', path: [name], message, input: undefined };
}

function refusal(issues: z.core.$ZodIssue[]): ApiError {
  return zodToApiError({ issues } as z.core.$ZodError);
}

async function readBody({ operation, bodyMode }: Route, request: Request) {
  if (bodyMode === 'stream') return { body: request, sentBody: undefined };
  if (operation.body === null) return { body: undefined, sentBody: undefined };
  const sentBody = await readJsonBody(request);
  return { body: validate(operation.body, sentBody), sentBody };
}

const maxBodyBytes = 1_048_576;
const bodyDecoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON body of a request; undefined when it has none. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers;
  if (encoding !== 'identity') throw new ApiError('invalid_body');
  if (Number(length) > maxBodyBytes) throw new ApiError('payload_too_large');
  const raw = await new IncomingBody(request, maxBodyBytes).read().catch((error: unknown) => {
    throw error instanceof ClientGoneError ? new ApiError('invalid_body', { cause: error }) : error;
  });
  return raw.length === 0 ? undefined : parse(decode(raw));
}

function decode(raw: Buffer): string {
  try {
    return bodyDecoder.decode(raw);
  } catch (cause) {
    throw new ApiError('invalid_body', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', { cause });
  }
}

const headerDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a header value as UTF-8. Node reads its bytes as Latin-1; a value that is not UTF-8 stays as it is. */
export function decodeHeader(value: string): string {
  try {
    return headerDecoder.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
