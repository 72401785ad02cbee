import { keepInputMeta } from '@bv/contract';
import { z } from 'zod';

/** A field of a body or query, as an option of the command line. */
export type Field = {
  name: string;
  option: string;
  required: boolean;
  hint: string;
  /** `flag`: `--name` means true. `switch`: `--no-name` means false, which differs from an omitted option. */
  kind: 'value' | 'flag' | 'switch';
  /** Accepted values, if the field has a fixed set of them. */
  values: string[];
  isList: boolean;
  /** A value as it is written on the command line. */
  example: string | undefined;
  read: (text: string) => unknown;
};

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  format?: string;
  examples?: unknown[];
};

/** Reads the fields of a schema from its JSON Schema, so that names, values and defaults come from the contract only. */
export function parseFields(schema: z.ZodType | null): Field[] {
  if (schema === null) return [];
  const root = toJsonSchema(schema);
  const { required = [] } = root;
  const variable = Object.entries(root.properties ?? {}).filter(
    ([name, field]) => !isConstant(field) || !required.includes(name),
  );
  return variable.map(([name, field]) => {
    const shape = resolve(field, root);
    const kind = getKind(shape);
    const [example] = field.examples ?? shape.examples ?? [];
    return {
      name,
      // As for ids in paths: `org_id` is `--org`.
      option: name.replace(/_id$/, '').replaceAll('_', '-'),
      required: required.includes(name),
      hint: kind === 'value' ? describeField(shape) : (shape.description ?? '').replace(/\.$/, ''),
      kind,
      values: kind === 'value' ? (shape.enum ?? shape.items?.enum ?? []).map(String) : [],
      isList: shape.type === 'array',
      example: example === undefined ? undefined : writeValue(example),
      read: (text) => readValue(text, shape, root),
    };
  });
}

function getKind(shape: Shape): Field['kind'] {
  if (shape.const === true) return 'flag';
  if (shape.enum?.join() !== 'true,false') return 'value';
  return shape.description?.includes('`false`') ? 'switch' : 'flag';
}

/** The reverse of `readValue`: the text of an option that has this value. */
export function writeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, part]) => `${name}=${String(part)}`);
  return pairs.join(',');
}

const isConstant = (field: JsonSchema): boolean => 'const' in field;

/** Required fields that have one possible value. They are always sent and have no option. */
export function parseConstants(schema: z.ZodType | null): Record<string, unknown> {
  if (schema === null) return {};
  const { properties = {}, required = [] } = toJsonSchema(schema);
  return Object.fromEntries(
    required.flatMap((name) => {
      const field = properties[name];
      return field !== undefined && isConstant(field) ? [[name, field.const]] : [];
    }),
  );
}

/** A schema with a name is a reference to its definition. */
function toJsonSchema(schema: z.ZodType): JsonSchema {
  const root = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: keepInputMeta,
  }) as JsonSchema;
  return { ...root, ...definitionOf(root, root) };
}

const definitionOf = ({ $ref }: JsonSchema, root: JsonSchema): JsonSchema | undefined =>
  $ref === undefined ? undefined : root.$defs?.[$ref.split('/').at(-1) ?? ''];

type Shape = JsonSchema & { nullable: boolean };

function resolve(schema: JsonSchema, root: JsonSchema): Shape {
  const target = definitionOf(schema, root) ?? schema;
  const choices = target.anyOf ?? [];
  const value = choices.find(({ type }) => type !== 'null') ?? target;
  const description = schema.description ?? target.description;
  return {
    ...target,
    ...value,
    ...(description === undefined ? {} : { description }),
    nullable: choices.some(({ type }) => type === 'null'),
  };
}

function describeField(shape: Shape): string {
  const values = shape.enum ?? shape.items?.enum;
  const parts = [
    shape.description?.replace(/\.$/, ''),
    values === undefined ? undefined : values.join(shape.type === 'array' ? ',' : ' | '),
    shape.type === 'array' ? 'separated by commas' : undefined,
    shape.type === 'integer' ? `whole number${describeRange(shape)}` : undefined,
    shape.type === 'object'
      ? `${Object.keys(shape.properties ?? {}).join(', ')}; as name=value,… or JSON`
      : undefined,
    shape.nullable && !shape.description?.includes('null') ? 'null for none' : undefined,
    shape.default === undefined ? undefined : `default ${describeDefault(shape.default)}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

const describeDefault = (value: unknown): string => (value === null ? 'none' : writeValue(value));

function describeRange({ minimum, maximum }: Shape): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return ` from ${minimum}`;
  return ` from ${minimum ?? '-'} to ${maximum}`;
}

/** Parses an option by the type of its field. Invalid text is returned unchanged, so that the schema rejects it. */
function readValue(text: string, shape: Shape, root: JsonSchema): unknown {
  if (shape.nullable && text === 'null') return null;
  if (shape.type === 'integer' || shape.type === 'number') {
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  if (shape.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (shape.type === 'array') return text.split(',').map((part) => part.trim());
  if (shape.type === 'object') return readObject(text, shape, root);
  return text;
}

function readObject(text: string, { properties = {} }: Shape, root: JsonSchema): unknown {
  if (text.trim().startsWith('{')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => part.trim());
      const property = properties[name];
      return [name, property === undefined ? value : readValue(value, resolve(property, root), root)];
    }),
  );
}
