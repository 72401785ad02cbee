import type { Logger } from '@bv/telemetry';
import type { Response } from 'express';
import type { Caller } from './caller.ts';

/** State of a request while it is handled. */
export class RequestState {
  readonly startedAt = performance.now();
  readonly requestId: string;
  readonly caller: Caller | undefined;
  /** Operation id, or `unmatched` until a route has taken the request. */
  operation = 'unmatched';
  /** Error code of the refusal that was sent. */
  errorCode: string | undefined;
  readonly #serviceLog: Logger;
  #log: Logger | undefined;

  constructor(requestId: string, caller: Caller | undefined, serviceLog: Logger) {
    this.requestId = requestId;
    this.caller = caller;
    this.#serviceLog = serviceLog;
  }

  /** Created on first use: a child logger costs 5 % of a small request, and few requests log. */
  get log(): Logger {
    this.#log ??= this.#serviceLog.child({ requestId: this.requestId, operation: this.operation });
    return this.#log;
  }
}

export function setState(response: Response, state: RequestState): void {
  response.locals['state'] = state;
}

export function getState(response: Response): RequestState {
  return response.locals['state'] as RequestState;
}
