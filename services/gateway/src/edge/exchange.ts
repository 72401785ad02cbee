import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Operation } from '@bv/contract';
import type { IncomingBody } from '@bv/http';
import type { Access } from '../domain/access.ts';
import type { HeldClaim } from '../idempotency/idempotency-store.ts';
import type { HeaderLines } from './header-lines.ts';

export type EdgeRequest = IncomingMessage & { method: string; url: string };

/** The operation a request is for, with its path as it goes on: ids checked and in lower case. */
export type RequestedRoute = {
  operation: Operation;
  /** What the contract says about the ids in the path; undefined when they are all right. */
  invalidIds: Error | undefined;
  orgId: string | null;
  /** With the prefix and the query string. */
  target: string;
};

/** One request on its way through the steps. What a step finds out stands here for the steps after it. */
export type Exchange = {
  readonly request: EdgeRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  readonly lines: HeaderLines;
  readonly declaresBody: boolean;
  /** Undefined where the body is not read. */
  readonly incomingBody: IncomingBody | undefined;
  /** Of the connection, while it is certainly there. */
  readonly peerAddress: string | undefined;
  route: RequestedRoute | undefined;
  /** Of the answer, whatever it will be; sent with its head in one go. */
  readonly headers: OutgoingHttpHeaders;
  address: string;
  presentedKey: string;
  access: Access | undefined;
  /** The month the request was charged to. */
  chargedMonth: number | null;
  idempotencyKey: string | null;
  body: { raw: Buffer; json: unknown };
  claim: HeldClaim | undefined;
  replayed: boolean;
  /** Code of the refusal it was answered with. */
  errorCode: string | undefined;
  /** Set by the step that answered; no step runs after it. */
  answered: boolean;
};

export const noBody: Exchange['body'] = { raw: Buffer.alloc(0), json: undefined };

/** The one way an answer begins. */
export function sendHead({ response, headers }: Exchange, status: number, more: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...headers, ...more });
}

/** The answer is one that an earlier try had led to. */
export function tellReplay(exchange: Exchange): void {
  exchange.replayed = true;
  exchange.headers['idempotent-replayed'] = 'true';
}

/** For the steps that run after the key was judged. */
export function accessOf({ access }: Exchange): Access {
  if (access === undefined) throw new Error('the key is not judged yet');
  return access;
}

/** For the steps that run after the path was judged. */
export function routeOf({ route }: Exchange): RequestedRoute {
  if (route === undefined) throw new Error('the path is not judged yet');
  return route;
}
