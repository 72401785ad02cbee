import { callbackify } from 'node:util';
import pg from 'pg';
import type { Client, QueryResult } from 'pg';
import { openSession } from './session.ts';
import type { SessionSettings } from './session.ts';

type Done = (error: Error | null, result?: QueryResult) => void;

/**
 * A client whose session is open only once it has its settings and can write, and that aborts a statement when its
 * server has no answer in time: its error is that of pg's `query_timeout`.
 * A query object, such as a stream of COPY, has no deadline here.
 *
 * pg assigns a function to each query for its promise, and another for its timeout. V8 allocates such a function among the
 * old objects, where it keeps the query with all its rows until the next full collection. With a callback and without a
 * timeout pg assigns none (docs/adr/0009-patched-clients.md).
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

    /** Any of pg's call forms; its type has their results. */
    override query(...args: unknown[]): never {
      const ask = super.query.bind(this) as (...args: unknown[]) => unknown;
      const [statement, ...rest] = args;
      if (isSubmittable(statement)) return ask(...args) as never;
      const values = rest.find((arg) => typeof arg !== 'function');
      const callback = rest.find((arg) => typeof arg === 'function') as Done | undefined;
      const inTime = (done: Done): unknown => ask(statement, values, beforeDeadline(done, timeoutMs));
      if (callback !== undefined) return inTime(callback) as never;
      return new Promise<QueryResult | undefined>((resolve, reject) => {
        inTime((error, result) => (error ? reject(error) : resolve(result)));
      }).catch((error: unknown) => {
        // Back to who asked: its own stack ends in the socket that brought it.
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      }) as never;
    }
  };
}

/** Called once: with the answer, or with an error at the deadline. */
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
