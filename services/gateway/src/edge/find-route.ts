import { zodToApiError } from '@bv/contract';
import type { Operation } from '@bv/contract';
import type { RouteTable } from '../domain/route-table.ts';
import type { EdgeRequest, RequestedRoute } from './exchange.ts';

const prefix = '/v1';

/** The path in the form of the contract; undefined outside the public API. */
export const publicPath = (path: string): string | undefined =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;

/** Finds the operation early, because one query reads key and organisation. Later steps check the result. */
export function findRoute(request: EdgeRequest, routes: RouteTable): RequestedRoute | undefined {
  const queryAt = request.url.indexOf('?');
  const path = queryAt === -1 ? request.url : request.url.slice(0, queryAt);
  const apiPath = publicPath(path);
  const match = apiPath === undefined ? undefined : routes.match(request.method, apiPath);
  if (match === undefined) return undefined;
  const { operation } = match;
  const query = request.url.slice(path.length);
  const ids = operation.params.safeParse(match.params);
  if (!ids.success) {
    return { operation, invalidIds: zodToApiError(ids.error), orgId: null, target: path + query };
  }
  const params = ids.data as Record<string, string>;
  const target = isCanonical(path, match.params, params) ? path : prefix + buildPath(operation, params);
  return {
    operation,
    invalidIds: undefined,
    orgId: params['orgId'] ?? null,
    target: target + query,
  };
}

/** Whether the path can be used as it is: ids in lower case, nothing percent-encoded. True for nearly all requests. */
function isCanonical(
  path: string,
  received: Readonly<Record<string, string>>,
  params: Readonly<Record<string, string>>,
): boolean {
  if (path.includes('%')) return false;
  for (const name in params) if (params[name] !== received[name]) return false;
  return true;
}

function buildPath({ path }: Operation, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}
