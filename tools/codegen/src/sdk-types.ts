/** Converts the JSON Schemas of the contract to TypeScript. Unknown constructs are an error, never `any`. */
import { keepInputMeta } from '@bv/contract';
import { z } from 'zod';

type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  not?: object;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  description?: string;
  default?: unknown;
};

const primitives: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** An enum of `true` and `false` in a query is a boolean for callers. */
const isWrittenBoolean = (values: unknown[]): boolean => values.join() === 'true,false';

function toComment({
  description,
  default: fallback,
}: {
  description?: string | undefined;
  default?: unknown;
}): string {
  const lines = [
    description,
    fallback === undefined ? undefined : `Default: \`${JSON.stringify(fallback)}\`.`,
  ];
  const text = lines.filter((line) => line !== undefined).join(' ');
  return text === '' ? '' : `/** ${text} */\n`;
}

/** Declared in addition to the types that the printer prints. */
export const openType = `/** A known value, which editors offer, or one that a later version of the API adds. */
export type Open<Known extends string> = Known | (string & Record<never, never>);`;

export class TypePrinter {
  readonly #named = new Map<string, string>();
  /** Names of the schemas that are a list of texts. */
  readonly #enums = new Set<string>();

  /** The type of a schema. Schemas with an id become separate exported types. */
  print(schema: z.ZodType, io: 'input' | 'output'): string {
    const { $defs = {}, ...root } = z.toJSONSchema(schema, {
      io,
      ...(io === 'input' ? { override: keepInputMeta } : {}),
    }) as JsonSchema;
    for (const [id, { type, enum: values }] of Object.entries($defs)) {
      if (type === 'string' && values !== undefined) this.#enums.add(id);
    }
    for (const [id, definition] of Object.entries($defs)) {
      const text = this.#type(definition, io);
      const earlier = this.#named.get(id);
      if (earlier !== undefined && earlier !== text) throw new Error(`two shapes have the name ${id}`);
      this.#named.set(id, text);
    }
    return this.#type(root, io);
  }

  declarations(): string[] {
    return [...this.#named]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => `export type ${name} = ${text};`);
  }

  #type(schema: JsonSchema, io: 'input' | 'output'): string {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.replace('#/$defs/', '');
      return io === 'output' && this.#enums.has(name) ? `Open<${name}>` : name;
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) {
      if (isWrittenBoolean(schema.enum)) return 'boolean';
      return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    }
    if (schema.anyOf !== undefined) return schema.anyOf.map((member) => this.#type(member, io)).join(' | ');
    if (schema.not !== undefined) return 'never';
    if (Array.isArray(schema.type)) return schema.type.map((type) => this.#type({ type }, io)).join(' | ');
    if (schema.type === 'array') return `readonly (${this.#type(schema.items ?? {}, io)})[]`;
    if (schema.type === 'object') return this.#object(schema, io);
    if (schema.type === undefined) return 'unknown';
    const primitive = primitives[schema.type];
    if (primitive === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
    return primitive;
  }

  #object(schema: JsonSchema, io: 'input' | 'output'): string {
    const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const comment = toComment(property);
      const optional = schema.required?.includes(name) !== true;
      // Callers may pass `undefined` for an omitted field. Responses never contain it.
      const type =
        this.#type(property, io) + (optional && io === 'input' && !property.not ? ' | undefined' : '');
      return `${comment}${name}${optional ? '?' : ''}: ${type};`;
    });
    if (typeof schema.additionalProperties === 'object') fields.push('[field: string]: unknown;');
    return `{\n${fields.join('\n')}\n}`;
  }
}
