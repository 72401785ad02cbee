import { zodToApiError } from '@bv/contract';
import type { Method, Operation } from '@bv/contract';

type RouteMatch = { operation: Operation; params: Record<string, string> };

type Node = {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  operations: Map<Method, { operation: Operation; names: string[] }>;
};

export type RouteTable = {
  match(method: string, path: string): RouteMatch | undefined;
  /** Whether the path has an operation of any method. */
  hasPath(path: string): boolean;
};

/** A tree of path segments. A literal has precedence over a parameter. HEAD matches every GET operation. */
export function buildRouteTable(operations: readonly Operation[]): RouteTable {
  const root = createNode();
  for (const operation of operations) insert(root, operation);
  return {
    match: (method, path) => {
      if (!path.startsWith('/')) return undefined;
      return find(root, splitPath(path), 0, [], (method === 'HEAD' ? 'GET' : method) as Method);
    },
    hasPath: (path) => path.startsWith('/') && hasOperation(root, splitPath(path), 0),
  };
}

function splitPath(path: string): string[] {
  const segments = path.slice(1).split('/');
  return path.includes('%') ? segments.map(decode) : segments;
}

function hasOperation(node: Node, segments: readonly string[], depth: number): boolean {
  const segment = segments[depth];
  if (segment === undefined) return node.operations.size > 0;
  const literal = node.literals.get(segment);
  if (literal && hasOperation(literal, segments, depth + 1)) return true;
  return segment !== '' && node.parameter !== undefined && hasOperation(node.parameter, segments, depth + 1);
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, operations: new Map() };
}

function insert(root: Node, operation: Operation): void {
  const names: string[] = [];
  let node = root;
  for (const segment of operation.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      names.push(segment.slice(1, -1));
      node.parameter ??= createNode();
      node = node.parameter;
      continue;
    }
    const next = node.literals.get(segment) ?? createNode();
    node.literals.set(segment, next);
    node = next;
  }
  if (node.operations.has(operation.method))
    throw new Error(`${operation.method} ${operation.path} is registered twice`);
  node.operations.set(operation.method, { operation, names });
}

/** Falls back to the parameter when the literal has no match. The table limits the recursion depth, not the input. */
function find(
  node: Node,
  segments: readonly string[],
  depth: number,
  values: string[],
  method: Method,
): RouteMatch | undefined {
  const segment = segments[depth];
  if (segment === undefined) {
    const found = node.operations.get(method);
    if (found === undefined) return undefined;
    const params: Record<string, string> = {};
    for (let index = 0; index < found.names.length; index += 1) {
      params[found.names[index] ?? ''] = values[index] ?? '';
    }
    return { operation: found.operation, params };
  }
  const literal = node.literals.get(segment);
  const match = literal && find(literal, segments, depth + 1, values, method);
  // An empty segment (`/orgs/`, `//`) is never an id.
  if (match !== undefined || node.parameter === undefined || segment === '') return match;
  values.push(segment);
  const further = find(node.parameter, segments, depth + 1, values, method);
  if (further === undefined) values.pop();
  return further;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The operation of a request, with its path as the service receives it: ids validated and in lower case. */
export type RequestedRoute = {
  operation: Operation;
  /** The validation error of the ids in the path; undefined when they are valid. */
  invalidIds: Error | undefined;
  orgId: string | null;
  /** Path with prefix and query string. */
  target: string;
};

const prefix = '/v1';

/** The path in the form of the contract; undefined outside the public API. */
export const toApiPath = (path: string): string | undefined =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;

/** Finds the operation before the checks, because one query reads key and organisation. Later steps check the result. */
export function findRoute(
  request: { method: string; url: string },
  routes: RouteTable,
): RequestedRoute | undefined {
  const queryAt = request.url.indexOf('?');
  const path = queryAt === -1 ? request.url : request.url.slice(0, queryAt);
  const apiPath = toApiPath(path);
  const match = apiPath === undefined ? undefined : routes.match(request.method, apiPath);
  if (match === undefined) return undefined;
  const { operation } = match;
  const query = request.url.slice(path.length);
  const ids = operation.params.safeParse(match.params);
  if (!ids.success) {
    return { operation, invalidIds: zodToApiError(ids.error), orgId: null, target: path + query };
  }
  const params = ids.data as Record<string, string>;
  return {
    operation,
    invalidIds: undefined,
    orgId: params['orgId'] ?? null,
    target: prefix + buildPath(operation, params) + query,
  };
}

function buildPath({ path }: Operation, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}
