import { parse as parseQuery } from 'node:querystring';
import { ApiError, validationError } from '@bv/contract';
import type { Operation, ServiceName } from '@bv/contract';
import type { Logger, Metrics } from '@bv/telemetry';
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import { sendError } from './send-response.ts';
import { handleOperation } from './handle-operation.ts';
import { observe } from './observe.ts';
import type { FlushEvents } from './published.ts';
import type { Route } from './route.ts';

export type ServiceAppOptions = {
  service: ServiceName;
  routes: readonly Route[];
  /** Accepted secrets of the caller header; more than one during a rotation. */
  callerSecrets: readonly string[];
  log: Logger;
  metrics: Metrics;
  /** Compare every response with the contract: on in tests and the local stack, off in production. */
  checkResponses: boolean;
  /** Required by a service whose operator operations return `eventIds`. */
  flushEvents?: FlushEvents;
};

const prefixes: Record<Operation['api'], string> = { public: '/v1', operator: '/operator/v1' };

/** Creates the HTTP application of a service: caller check, routes, error responses and one log line for each request. */
export function createServiceApp(options: ServiceAppOptions): Express {
  const { service, routes, callerSecrets, checkResponses, flushEvents } = options;
  if (callerSecrets.length === 0) throw new Error('a service needs at least one caller secret');
  checkTable(service, routes);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', (query: string | null) => {
    for (const parameter of query?.split('&') ?? []) requireUtf8(parameter);
    // Node's default parser ignores everything after the thousandth parameter.
    return parseQuery(query ?? '', '&', '=', { maxKeys: 0 });
  });
  app.use(observe(options));
  for (const route of routes.toSorted(bySpecificity)) {
    const method = route.operation.method.toLowerCase() as Lowercase<Operation['method']>;
    app[method](expressPath(route.operation), handleOperation(route, { checkResponses, flushEvents }));
  }
  app.use(() => {
    throw new ApiError('not_found');
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendError(error, response, service),
  );
  return app;
}

/** Node's parser would replace what is not UTF-8, and a filter would search for something else. A lone `%` is itself. */
function requireUtf8(parameter: string): void {
  try {
    decodeURIComponent(parameter.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    const [path = ''] = parameter.split('=', 1);
    const message = 'Invalid input: its percent-encoded bytes are not UTF-8';
    throw validationError([{ path, code: 'invalid_format', message }]);
  }
}

function expressPath({ api, path }: Operation): string {
  return prefixes[api] + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Literal segments before parameters: `summary` in `/brands/summary` must not match as a brand id. */
function bySpecificity(a: Route, b: Route): number {
  const [left, right] = [a, b].map(({ operation }) => operation.path.replaceAll(/\{\w+\}/g, '\u{10FFFF}'));
  return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
}

function checkTable(service: ServiceName, routes: readonly Route[]): void {
  const ids = new Set<string>();
  for (const { operation } of routes) {
    if (operation.service !== service) throw new Error(`${operation.id} belongs to ${operation.service}`);
    if (ids.has(operation.id)) throw new Error(`${operation.id} is routed twice`);
    ids.add(operation.id);
  }
}
