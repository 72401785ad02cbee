/** What the reference reads of docs/openapi.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  'x-extensible-enum'?: unknown[];
};
export type Parameter = {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
};
type Content = { content?: { 'application/json': { schema: Schema; example?: unknown; examples?: object } } };
type Response = Content & { $ref?: string; description: string };
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Response>;
};
type Document = {
  info: { version: string; description: string; 'x-revision': string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

const file = join(import.meta.dirname, '../../openapi.json');
export const document = JSON.parse(readFileSync(file, 'utf8')) as Document;

export type Call = { method: string; path: string; operation: Operation };
export const calls: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
