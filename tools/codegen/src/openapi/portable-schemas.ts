/** Rewrites schemas to the forms that generators of clients have in common. What is valid stays the same. */
import type { OpenApiJson } from './openapi-json.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  additionalProperties?: unknown;
};

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Calls `visit` for the node and everything in it except examples. */
function walk(value: unknown, visit: (node: Node) => void): void {
  if (!isNode(value)) return;
  visit(value);
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(child, visit);
  }
}

/** The enum that stays a component. Its values are in no other enum. */
const namedEnums = new Set(['PlatformId']);

/** Puts enums where they are used: a Go client of openapi-generator does not compile if two named enums share a value. */
function inlineEnums(document: OpenApiJson): void {
  const schemas: Record<string, object> = document.components.schemas;
  const enums = new Map<string, object>();
  for (const [name, component] of Object.entries(schemas)) {
    if (namedEnums.has(name) || !('enum' in component)) continue;
    enums.set(`#/components/schemas/${name}`, component);
    delete schemas[name];
  }
  walk(document, (schema: Schema) => {
    const { $ref = '', ...own } = schema;
    const found = enums.get($ref);
    if (found === undefined) return;
    delete schema.$ref;
    Object.assign(schema, found, own);
  });
}

/** `anyOf: [X, null]` becomes the type array of X. References stay, because a type beside one means something else. */
function mergeNull(schema: Schema): void {
  const { anyOf = [], ...own } = schema;
  const [first, second, ...others] = anyOf;
  if (typeof first?.type !== 'string' || second?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  const { enum: values, type, ...rest } = first;
  Object.assign(schema, rest, own, { type: [type, 'null'] });
  if (values?.every((value) => typeof value === 'number') === true) {
    // oapi-codegen does not generate an enum of numbers and null.
    Object.assign(schema, { minimum: Math.min(...values), maximum: Math.max(...values) });
  } else if (values !== undefined) schema.enum = [...values, null];
}

/** The format says it already, and some generators check both or neither. */
function dropPatternOfFormat(schema: Schema): void {
  if (schema.format !== undefined) delete schema.pattern;
}

/** The bounds of the safe integers are no limits of the API. */
function nameIntegers(schema: Schema): void {
  if (schema.maximum !== Number.MAX_SAFE_INTEGER) return;
  delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  schema.format = 'int64';
}

/** Java does not compile a constant of another type than string. */
function dropBooleanConstant(schema: Schema): void {
  if (schema.type === 'boolean') delete schema.const;
}

/** A query has text. Callers of a generated client have booleans. */
function readTextAsBoolean(schema: Schema): void {
  if (schema.enum?.join() !== 'true,false') return;
  delete schema.enum;
  schema.type = 'boolean';
}

/** Names of the components that the node refers to, directly or through others. */
function reachable(node: unknown, schemas: Record<string, unknown>, found = new Set<string>()): Set<string> {
  walk(node, ({ $ref }) => {
    const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
    if (name === undefined || found.has(name)) return;
    found.add(name);
    reachable(schemas[name], schemas, found);
  });
  return found;
}

/** Responses and events may gain fields. Some generators take the absence of this statement as `false`. */
function openResponses(paths: unknown, schemas: Record<string, unknown>): void {
  const requests = new Set<string>();
  walk(paths, ({ requestBody }) => reachable(requestBody, schemas, requests));
  for (const [name, component] of Object.entries(schemas)) {
    if (requests.has(name)) continue;
    walk(component, (schema: Schema) => {
      if (schema.additionalProperties === false) schema.additionalProperties = true;
    });
  }
}

export function makePortable(document: OpenApiJson): void {
  inlineEnums(document);
  walk(document, (schema: Schema) => {
    mergeNull(schema);
    dropPatternOfFormat(schema);
    nameIntegers(schema);
    dropBooleanConstant(schema);
    readTextAsBoolean(schema);
  });
  openResponses(document.paths, document.components.schemas);
}
