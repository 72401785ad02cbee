import { fieldMeanings } from './field-meanings.ts';
import { listOperations, type OpenApiJson } from './openapi-json.ts';
import { qualifiedMeanings } from './schema-meanings.ts';

type Schema = { properties?: Record<string, { description?: string }> };

/** The meaning of a field of a named schema, unless its own description states it. */
export function findMeaning(schema: string, field: string): string | undefined {
  const [lastWord = ''] = /[A-Z][a-z]+$/.exec(schema) ?? [];
  return (
    qualifiedMeanings.get(`${schema}.${field}`) ??
    qualifiedMeanings.get(`*${lastWord}.${field}`) ??
    fieldMeanings[field]
  );
}

/** Gives every property a description. Returns the names of properties and parameters that still have none. */
export function describeFields(document: OpenApiJson): string[] {
  const missing = listOperations(document).flatMap(({ parameters = [] }) =>
    parameters.filter(({ description }) => description === undefined).map(({ name }) => name),
  );
  for (const [name, { properties = {} }] of Object.entries<Schema>(document.components.schemas)) {
    for (const [field, property] of Object.entries(properties)) {
      if (property.description !== undefined) continue;
      const meaning = findMeaning(name, field);
      if (meaning === undefined) missing.push(`${name}.${field}`);
      else property.description = meaning;
    }
  }
  return missing;
}
