/** Descriptions and examples of parameters. */
import { listOperations, type OpenApiJson, type ParameterJson } from './openapi-json.ts';

/** The example of a boolean filter is text in the contract, as it is in a query. */
function toExample({ type, examples }: ParameterJson['schema']): unknown {
  const [example] = examples ?? [];
  return type === 'boolean' && typeof example === 'string' ? JSON.parse(example) : example;
}

/** Moves the description and the example of each schema to its parameter, where tools look for them. */
export function describeParameters(document: OpenApiJson): void {
  for (const { operationId, parameters = [] } of listOperations(document)) {
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
