import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { ApiError } from '@bv/contract';
import type { IncomingBody } from '@bv/http';
import type { Access } from '../domain/access.ts';
import type { RequestedRoute } from '../domain/routes.ts';
import type { AcquiredKey } from '../idempotency/idempotency-store.ts';
import type { HeaderLines } from './header-lines.ts';

export type EdgeRequest = IncomingMessage & { method: string; url: string };

/** The response to a client, or to a tool that calls an operation in this process. */
export type EdgeResponse = Writable & {
  readonly headersSent: boolean;
  statusCode: number;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  writeContinue(): void;
};

/** The MCP message of a request, also in the operations that its tool calls. */
type McpMessage = {
  method: string;
  tool: string | null;
  requestId: string;
  /** Refusal of its charge that is known before its body is read. For a tool it becomes a tool error. */
  refusal: ApiError | undefined;
};

/** State of one request in the pipeline. Each step stores its results here for later steps. */
export type Exchange = {
  readonly request: EdgeRequest;
  readonly response: EdgeResponse;
  readonly requestId: string;
  readonly startedAt: number;
  readonly lines: HeaderLines;
  readonly declaresBody: boolean;
  /** Undefined when the body is not read. */
  readonly incomingBody: IncomingBody | undefined;
  /** Address of the connection, read while the socket is certainly open. */
  readonly peerAddress: string | undefined;
  route: RequestedRoute | undefined;
  /** Headers of the response, whatever its status. Sent with its head. */
  readonly headers: OutgoingHttpHeaders;
  address: string;
  presentedKey: string;
  access: Access | undefined;
  /** The month the request was charged to. */
  chargedMonth: number | null;
  idempotencyKey: string | null;
  body: { raw: Buffer; json: unknown };
  acquiredKey: AcquiredKey | undefined;
  replayed: boolean;
  /** Undefined outside MCP. */
  mcp: McpMessage | undefined;
  /** Error code of the refusal that was sent. */
  errorCode: string | undefined;
  /** Set by the step that sends the response. No step runs after it. */
  hasResponse: boolean;
};

export const noBody: Exchange['body'] = { raw: Buffer.alloc(0), json: undefined };

/** Every response starts here, so that no header is forgotten. */
export function sendHead({ response, headers }: Exchange, status: number, more: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...headers, ...more });
}

/** The allowance that a response describes. `resetSeconds` is since the epoch. */
export type Window = { limit: number; remaining: number; resetSeconds: number };

export function setRateLimit({ headers }: Exchange, { limit, remaining, resetSeconds }: Window): void {
  headers['x-ratelimit-limit'] = limit;
  headers['x-ratelimit-remaining'] = remaining;
  headers['x-ratelimit-reset'] = resetSeconds;
}

export function removeRateLimit({ headers }: Exchange): void {
  delete headers['x-ratelimit-limit'];
  delete headers['x-ratelimit-remaining'];
  delete headers['x-ratelimit-reset'];
}

/** Marks the response as the one of an earlier attempt. */
export function markReplayed(exchange: Exchange): void {
  exchange.replayed = true;
  exchange.headers['idempotent-replayed'] = 'true';
}

/** For steps after authentication. Throws before it. */
export function getAccess({ access }: Exchange): Access {
  if (access === undefined) throw new Error('the key is not authenticated yet');
  return access;
}

/** For steps after the route check. Throws before it. */
export function getRoute({ route }: Exchange): RequestedRoute {
  if (route === undefined) throw new Error('the path is not checked yet');
  return route;
}
