/** Rewrites schemas to the forms that generators of clients have in common. What is valid stays the same. */
import type { OpenApiJson } from './openapi-json.ts';
import { listSent, type Schema, walk } from './walk.ts';

/** The enum of requests that stays a component. Its values are in no other enum. */
const namedEnums = new Set(['PlatformId']);

/** Puts enums where they are used: a Go client of openapi-generator does not compile if two named enums share a value. */
function inlineEnums(document: OpenApiJson): void {
  const schemas: Record<string, object> = document.components.schemas;
  const enums = Object.entries(schemas).filter(([, component]) => 'enum' in component);
  const byReference = new Map(enums.map(([name, component]) => [`#/components/schemas/${name}`, component]));
  const inline = (schema: Schema): void => {
    const { $ref = '', ...own } = schema;
    const found = byReference.get($ref);
    if (found === undefined) return;
    delete schema.$ref;
    Object.assign(schema, found, own);
  };
  walk(listSent(document), inline);
  for (const [name] of enums) {
    if (namedEnums.has(name)) byReference.delete(`#/components/schemas/${name}`);
    else delete schemas[name];
  }
  walk(document, inline);
}

/** Most generators have no enum of numbers. The description lists the values, and the service checks them. */
function boundNumbers(schema: Schema): void {
  const values = schema.enum ?? [schema.const];
  if (!values.every((value) => typeof value === 'number')) return;
  delete schema.enum;
  delete schema.const;
  if (values.length > 1)
    Object.assign(schema, { minimum: Math.min(...values), maximum: Math.max(...values) });
  if (values.every(Number.isInteger)) schema.type = 'integer';
}

/** Responses and events may gain values and fields. Some generators refuse what a response does not declare. */
function openSent(document: OpenApiJson): void {
  walk(listSent(document), (schema) => {
    if (schema.enum !== undefined) schema['x-extensible-enum'] = schema.enum;
    delete schema.enum;
    if (schema.additionalProperties === false) schema.additionalProperties = true;
  });
}

/** `anyOf: [X, null]` becomes the type array of X. References stay, because a type next to one means something else. */
function mergeNull(schema: Schema): void {
  const { anyOf = [], ...own } = schema;
  const [first, second, ...others] = anyOf;
  if (typeof first?.type !== 'string' || second?.type !== 'null' || others.length > 0) return;
  const { type, ...rest } = first;
  if (rest.enum !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, rest, own, { type: [type, 'null'] });
}

/** Readers of the reference see descriptions, but no extensions. */
function describeKnownValues(schema: Schema): void {
  const values = schema['x-extensible-enum'] ?? schema.items?.['x-extensible-enum'] ?? [];
  const { description } = schema;
  if (description === undefined) return;
  const names = values.map((value) => `\`${String(value)}\``);
  if (names.every((name) => description.includes(name))) return;
  schema.description = `${description} Known values: ${names.join(', ')}.`;
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

export function makePortable(document: OpenApiJson): void {
  inlineEnums(document);
  walk(document, boundNumbers);
  openSent(document);
  walk(document, (schema) => {
    mergeNull(schema);
    describeKnownValues(schema);
    dropPatternOfFormat(schema);
    nameIntegers(schema);
    dropBooleanConstant(schema);
    readTextAsBoolean(schema);
  });
}
