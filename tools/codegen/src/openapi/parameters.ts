/** Descriptions and examples of parameters. */

type Schema = { type?: string; description?: string; examples?: unknown[] };
type Parameter = { name: string; description?: string; example?: unknown; schema: Schema };
type Item = { operationId: string; parameters?: Parameter[] };

/** The example of a boolean filter is text in the contract, as it is in a query. */
function toExample({ type, examples }: Schema): unknown {
  const [example] = examples ?? [];
  return type === 'boolean' && typeof example === 'string' ? JSON.parse(example) : example;
}

/** Moves the description and the example of each schema to its parameter, where tools look for them. */
export function describeParameters(paths: Record<string, Record<string, Item>>): void {
  for (const { operationId, parameters = [] } of Object.values(paths).flatMap((item) =>
    Object.values(item),
  )) {
    for (const parameter of parameters) {
      const { schema } = parameter;
      const example = toExample(schema);
      if (example === undefined) throw new Error(`${operationId}: ${parameter.name} has no example`);
      parameter.example = example;
      delete schema.examples;
      delete schema.description;
    }
  }
}
