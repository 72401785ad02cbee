import { callbackify } from 'node:util';
import pg from 'pg';
import type { Client, QueryResult } from 'pg';
import { openSession } from './session.ts';
import type { SessionSettings } from './session-settings.ts';

type Done = (error: Error | null, result?: QueryResult) => void;

/**
 * A client that is connected when its session has its settings and can write. It rejects a statement without a result at
 * the deadline, with the error of pg's `query_timeout`. A query object, such as a stream of COPY, has no deadline here.
 *
 * pg assigns functions to each query for its promise and its timeout. V8 allocates them among the old objects, where they
 * keep the query with all its rows until the next full collection. With a callback and without a timeout pg assigns none
 * (docs/adr/0009-postgres-client.md).
 */
export function createClientClass(options: { timeoutMs: number; settings: SessionSettings }): typeof Client {
  const { timeoutMs, settings } = options;
  return class extends pg.Client {
    override connect(...args: unknown[]): never {
      const opened = openSession(this, () => super.connect(), settings);
      const [callback] = args as [((error: unknown) => void)?];
      if (callback === undefined) return opened.then(() => this) as never;
      return callbackify(() => opened)(callback) as never;
    }

    /** Accepts all call forms of pg, whose type has the results. */
    override query(...args: unknown[]): never {
      const send = super.query.bind(this) as (...args: unknown[]) => unknown;
      const [statement, ...rest] = args;
      if (isSubmittable(statement)) return send(...args) as never;
      const values = rest.find((arg) => typeof arg !== 'function');
      const callback = rest.find((arg) => typeof arg === 'function') as Done | undefined;
      const inTime = (done: Done): unknown => send(statement, values, beforeDeadline(done, timeoutMs));
      if (callback !== undefined) return inTime(callback) as never;
      return new Promise<QueryResult | undefined>((resolve, reject) => {
        inTime((error, result) => (error ? reject(error) : resolve(result)));
      }).catch((error: unknown) => {
        // The stack of the caller, because that of the error ends in the socket.
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      }) as never;
    }
  };
}

/** Calls `done` once: with the result, or with an error at the deadline. */
function beforeDeadline(done: Done, timeoutMs: number): Done {
  let open = true;
  const once: Done = (error, result) => {
    clearTimeout(late);
    if (!open) return;
    open = false;
    done(error, result);
  };
  const late = setTimeout(() => once(new Error('Query read timeout')), timeoutMs);
  return once;
}

function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config;
}
