/** Finds schemas in a document, and on which side of the API they are. */
import { listOperations, type OpenApiJson } from './openapi-json.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  description?: string;
  additionalProperties?: unknown;
  default?: unknown;
  'x-enum-varnames'?: unknown[];
  'x-extensible-enum'?: unknown[];
};

const isNode = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Calls `visit` for the value and everything in it except examples, with its path. */
export function walk(value: unknown, visit: (node: Schema, path: string) => void, path = '#'): void {
  if (!isNode(value)) return;
  visit(value, path);
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(child, visit, `${path}/${key}`);
  }
}

/** Names of the components that the node refers to, directly or through others. */
export function reachable(
  node: unknown,
  schemas: Record<string, unknown>,
  found = new Set<string>(),
): Set<string> {
  walk(node, ({ $ref }) => {
    const name = $ref?.replace('#/components/schemas/', '');
    if (name === undefined || found.has(name)) return;
    found.add(name);
    reachable(schemas[name], schemas, found);
  });
  return found;
}

/** What the API sends: responses, webhooks, details of errors, and the components that no request refers to. */
export function listSent(document: OpenApiJson): Record<string, unknown> {
  const { schemas } = document.components;
  const operations = listOperations(document);
  const requests = operations.map(({ parameters, requestBody }) => [parameters, requestBody]);
  const inRequests = reachable(requests, schemas);
  return {
    responses: Object.fromEntries(operations.map(({ operationId, responses }) => [operationId, responses])),
    webhooks: document.webhooks,
    'x-error-codes': document['x-error-codes'],
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => !inRequests.has(name))),
  };
}
