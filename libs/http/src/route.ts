import type { Readable } from 'node:stream';
import type {
  RequestBody,
  ResponseData,
  Operation,
  Pagination,
  PathParams,
  QueryParams,
  RequestBodyInput,
} from '@bv/contract';
import type { Logger } from '@bv/telemetry';
import type { Caller } from './caller.ts';

export type HandlerInput<O extends Operation, Body = RequestBody<O>, Sent = RequestBodyInput<O>> = {
  params: PathParams<O>;
  query: QueryParams<O>;
  body: Body;
  /** The body before its schema trimmed and collapsed text. The paths of a validation error refer to it. */
  sentBody: Sent;
  caller: Caller;
  requestId: string;
  /** Carries the request id and the operation. */
  log: Logger;
  idempotencyKey: string | null;
};

type DeepReadonly<T> = T extends readonly (infer Element)[]
  ? readonly DeepReadonly<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What a result says in addition to its body. */
type ResultNotes = {
  /** Operator API: the outbox events that all services must apply before the gateway responds. */
  eventIds?: readonly string[];
  /** The result was recorded by an earlier attempt of the operation. */
  replayed?: boolean;
};
type ItemResult<O extends Operation> = { data: DeepReadonly<ResponseData<O>> } & ResultNotes;
type ListResult<O extends Operation> = {
  data: readonly DeepReadonly<ResponseData<O>>[];
  pagination: Pagination;
} & ResultNotes;

/** The result of a handler. The status comes from the operation. */
export type Result<O extends Operation> = ItemResult<O> | ListResult<O>;

/** `R` is what a handler really returns: inferred, so that `deleted: true` need not be written `as const`. */
export type Handler<O extends Operation, Body = RequestBody<O>, R extends Result<O> = Result<O>> = (
  input: HandlerInput<O, Body>,
) => Promise<R>;

/** An operation with its handler. `route` checks that their types match. */
export type Route = {
  operation: Operation;
  bodyMode: 'json' | 'stream';
  handler: (input: HandlerInput<Operation, unknown, unknown>) => Promise<Result<Operation>>;
};

export function route<O extends Operation, const R extends Result<O>>(
  operation: O,
  handler: Handler<O, Readable, R>,
  options: { body: 'stream' },
): Route;
export function route<O extends Operation, const R extends Result<O>>(
  operation: O,
  handler: Handler<O, RequestBody<O>, R>,
): Route;
/** Binds a handler to its operation; with `body: 'stream'` it reads the request's raw body itself. */
export function route(operation: Operation, handler: unknown, options?: { body: 'stream' }): Route {
  return { operation, bodyMode: options?.body ?? 'json', handler: handler as Route['handler'] };
}
