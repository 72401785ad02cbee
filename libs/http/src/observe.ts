import { randomUUID } from 'node:crypto';
import type { Logger, Metrics } from '@bv/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { callerHeader, verifyCaller } from './caller.ts';
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

export function getState(response: Response): RequestState {
  return response.locals['state'] as RequestState;
}

/** A request without a valid caller header. Internal: it never reaches a public client. */
export class InvalidCallerError extends Error {
  override readonly name = 'InvalidCallerError';
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Status of requests whose caller disconnected before the response was sent. */
const clientClosedRequest = 499;

type ObserveOptions = { callerSecrets: readonly string[]; log: Logger; metrics: Metrics };

/** First middleware: sets request id and caller, and writes one log line and one measurement at the end. */
export function observe({ callerSecrets, log, metrics }: ObserveOptions) {
  const durations = metrics.histogram({
    name: 'bv_http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const caller = verifyCaller(request.get(callerHeader), callerSecrets);
    const state = new RequestState(caller?.requestId ?? randomUUID(), caller, log);
    response.locals['state'] = state;
    response.setHeader('x-request-id', state.requestId);
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : clientClosedRequest;
      const durationMs = performance.now() - state.startedAt;
      durations.observe({ operation: state.operation, status }, durationMs / 1_000);
      log[status >= 500 ? 'error' : 'info'](toLogLine(request, state, status, durationMs), 'request');
    });
    next(caller ? undefined : new InvalidCallerError('no valid caller header'));
  };
}

function toLogLine(request: Request, state: RequestState, status: number, durationMs: number): object {
  const { requestId, operation, caller, errorCode } = state;
  return {
    requestId,
    operation,
    method: request.method,
    path: request.path,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(errorCode && { errorCode }),
    ...(caller && {
      keyId: caller.keyId,
      keyPrefix: caller.keyPrefix,
      owner: caller.owner,
      orgId: caller.orgId,
    }),
  };
}
