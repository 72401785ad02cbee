import type { Readable } from 'node:stream';
import type { BodyOf, DataOf, Operation, Pagination, ParamsOf, QueryOf } from '@bv/contract';
import type { Logger } from '@bv/telemetry';
import type { Caller } from './caller.ts';

export type HandlerInput<O extends Operation, Body = BodyOf<O>> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: Body;
  caller: Caller;
  requestId: string;
  /** Carries the request id and the operation. */
  log: Logger;
  idempotencyKey: string | null;
};

/** What a handler answers with; the status comes from the operation. */
export type Result<O extends Operation> = (
  | { data: DataOf<O> }
  | { data: DataOf<O>[]; pagination: Pagination }
) & {
  /** Operator's plane: the outbox events whose effect the gateway waits for before it answers. */
  eventIds?: readonly string[];
};

export type Handler<O extends Operation, Body = BodyOf<O>> = (
  input: HandlerInput<O, Body>,
) => Promise<Result<O>>;

/** An operation with the code that answers it; the types of both were matched by `route`. */
export type Route = {
  operation: Operation;
  bodyMode: 'json' | 'stream';
  handler: (input: HandlerInput<Operation, unknown>) => Promise<Result<Operation>>;
};

export function route<O extends Operation>(
  operation: O,
  handler: Handler<O, Readable>,
  options: { body: 'stream' },
): Route;
export function route<O extends Operation>(operation: O, handler: Handler<O>): Route;
/** Binds a handler to its operation; with `body: 'stream'` it reads the request's raw body itself. */
export function route(operation: Operation, handler: unknown, options?: { body: 'stream' }): Route {
  return { operation, bodyMode: options?.body ?? 'json', handler: handler as Route['handler'] };
}
