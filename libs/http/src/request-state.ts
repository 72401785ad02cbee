import type { Logger } from '@bv/telemetry';
import type { Response } from 'express';
import type { Caller } from './caller.ts';

/** What is known of a request while it is handled. */
export type RequestState = {
  startedAt: number;
  requestId: string;
  caller: Caller | undefined;
  /** Operation id, or `unmatched` until a route has taken the request. */
  operation: string;
  log: Logger;
  /** The code of the refusal it was answered with. */
  errorCode: string | undefined;
};

export function setState(response: Response, state: RequestState): void {
  response.locals['state'] = state;
}

export function stateOf(response: Response): RequestState {
  return response.locals['state'] as RequestState;
}
