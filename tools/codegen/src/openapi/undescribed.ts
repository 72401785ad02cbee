import { listOperations, type OpenApiJson } from './openapi-json.ts';

type Schema = { properties?: Record<string, { description?: string }> };

/** Names of the parameters and fields without a description. The contract describes each field of each resource. */
export function findUndescribed(document: OpenApiJson): string[] {
  const parameters = listOperations(document).flatMap(({ operationId, parameters: all = [] }) =>
    all.filter(({ description }) => description === undefined).map(({ name }) => `${operationId}(${name})`),
  );
  const fields = Object.entries<Schema>(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, { description }]) => description === undefined)
      .map(([field]) => `${name}.${field}`),
  );
  return [...parameters, ...fields];
}
