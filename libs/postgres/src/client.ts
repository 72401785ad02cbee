import pg from 'pg';
import type { Client, QueryResult } from 'pg';

type Done = (error: Error | null, result: QueryResult) => void;

/**
 * A client that gives a statement up when its server has no answer in time: its error is that of pg's `query_timeout`.
 *
 * pg assigns a function to each query for its promise, and another for its timeout. V8 allocates a function literal that
 * is assigned to a property among the old objects, where it keeps the query with all its rows until the next full
 * collection, so that young ones take twice as long. Asked with a callback and without a timeout pg assigns none.
 */
export function clientWithDeadline(timeoutMs: number): typeof Client {
  return class extends pg.Client {
    /** Any of pg's forms; its type tells what each gives. */
    override query(...statement: unknown[]): never {
      const ask = super.query.bind(this) as (...args: unknown[]) => unknown;
      if (typeof statement.at(-1) === 'function' || isSubmittable(statement[0])) {
        return ask(...statement) as never;
      }
      const [config, values] = statement;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('Query read timeout')), timeoutMs);
        const done: Done = (error, result) => {
          clearTimeout(late);
          if (error) reject(error);
          else resolve(result);
        };
        ask(config, values, done);
      }) as never;
    }
  };
}

/** Asks for itself, as a stream of COPY does. */
function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config;
}
