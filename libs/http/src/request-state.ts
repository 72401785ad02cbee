import type { Logger } from '@bv/telemetry';
import type { Response } from 'express';
import type { Caller } from './caller.ts';

/** What is known of a request while it is handled. */
export class RequestState {
  readonly startedAt = performance.now();
  readonly requestId: string;
  readonly caller: Caller | undefined;
  /** Operation id, or `unmatched` until a route has taken the request. */
  operation = 'unmatched';
  /** The code of the refusal it was answered with. */
  errorCode: string | undefined;
  readonly #serviceLog: Logger;
  #log: Logger | undefined;

  constructor(requestId: string, caller: Caller | undefined, serviceLog: Logger) {
    this.requestId = requestId;
    this.caller = caller;
    this.#serviceLog = serviceLog;
  }

  /** Made when first asked for: a child logger is a twentieth of a small request's cost, and few requests log. */
  get log(): Logger {
    this.#log ??= this.#serviceLog.child({ requestId: this.requestId, operation: this.operation });
    return this.#log;
  }
}

export function setState(response: Response, state: RequestState): void {
  response.locals['state'] = state;
}

export function stateOf(response: Response): RequestState {
  return response.locals['state'] as RequestState;
}
