import { z } from 'zod';

export type JsonSchema = { type: 'object'; [keyword: string]: unknown };

type Node = Record<string, unknown>;

/** Keywords that a model does not need to use a tool. The API checks them all the same. */
const dropped = [
  '$schema',
  '$defs',
  'id',
  'examples',
  'pattern',
  'minLength',
  'maxLength',
  'not',
  'x-enum-varnames',
];
/**
 * A result keeps names and types only: its `units` say what its figures mean. The values of an enum are omitted, because
 * further ones may follow, which a client that validates results would refuse.
 */
const droppedOfOutput = [
  'description',
  'enum',
  'const',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'required',
  'propertyNames',
  'additionalProperties',
];

/** Writes `anyOf: [{type}, {type: null}]` as two types. */
function mergeNull(node: Node): Node {
  const { anyOf, ...rest } = node as { anyOf?: Node[] };
  const [first, second] = anyOf ?? [];
  const isShort = anyOf?.length === 2 && second?.['type'] === 'null' && Object.keys(first ?? {}).length === 1;
  return isShort && first?.['type'] !== undefined ? { ...rest, type: [first['type'], 'null'] } : node;
}

/** The JSON Schema of a tool, in as few tokens as possible: clients send all schemas to the model. */
export function compactSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const full = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Node;
  const definitions = (full['$defs'] ?? {}) as Record<string, Node>;
  const omitted = new Set(io === 'input' ? dropped : [...dropped, ...droppedOfOutput]);
  const compact = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compact);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as Node;
    const node = typeof $ref === 'string' ? { ...definitions[$ref.slice('#/$defs/'.length)], ...own } : own;
    const kept = Object.entries(node).filter(
      // An id says where it is from.
      ([keyword, each]) => !omitted.has(keyword) && !(keyword === 'format' && each === 'uuid'),
    );
    return mergeNull(
      Object.fromEntries(kept.map(([keyword, each]) => [keyword, compactKeyword(keyword, each)])),
    );
  };
  // Names of properties are no keywords.
  const compactKeyword = (keyword: string, value: unknown): unknown =>
    keyword === 'properties'
      ? Object.fromEntries(Object.entries(value as Node).map(([name, each]) => [name, compact(each)]))
      : compact(value);
  return compact(full) as JsonSchema;
}
