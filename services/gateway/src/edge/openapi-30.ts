type Json = { [key: string]: unknown };

/** Members whose content is data of the API, not of the description. */
const data = new Set(['example', 'default', 'enum', 'x-extensible-enum']);
const isNull = (schema: unknown): boolean => (schema as Json | null)?.['type'] === 'null';

/** The same description as OpenAPI 3.0.3: `nullable` for the type null, one `example`, an `enum` for a constant. */
export function toOpenApi30(description: Json): Json {
  const { info, ...parts } = description;
  const { license, ...about } = info as Json & { license: { name: string } };
  return {
    ...(convertMembers(parts) as Json),
    openapi: '3.0.3',
    info: { ...about, license: { name: license.name } },
  };
}

function convertMembers(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => convertMembers(each));
  if (typeof value !== 'object' || value === null) return value;
  const node = isMap ? (value as Json) : convertNode(value as Json);
  const entries = Object.entries(node).map(([name, each]) => {
    // Names of properties and examples are no keywords, and the values of examples are data.
    if (!isMap && (data.has(name) || name === 'examples')) return [name, each];
    return [name, convertMembers(each, !isMap && name === 'properties')];
  });
  return Object.fromEntries(entries);
}

/** Rewrites the keywords of a schema that 3.0 lacks. Other objects of a description do not have them. */
function convertNode({ type, const: constant, anyOf, examples, ...node }: Json): Json {
  if (Array.isArray(examples)) [node['example']] = examples;
  else if (examples !== undefined) node['examples'] = examples;
  if (constant !== undefined) node['enum'] = [constant];
  if (Array.isArray(type)) {
    [node['type']] = type.filter((each) => each !== 'null');
    node['nullable'] = true;
  } else if (type !== undefined) node['type'] = type;
  if (Array.isArray(anyOf)) Object.assign(node, convertUnion(anyOf));
  // A reference hides what stands next to it.
  if (typeof node['$ref'] !== 'string' || Object.keys(node).length === 1) return node;
  const { $ref, ...beside } = node;
  return { allOf: [{ $ref }], ...beside };
}

/** A union with null is that of a reference to an object. In 3.0 `nullable` needs a type next to it. */
function convertUnion(anyOf: unknown[]): Json {
  const schemas = anyOf.filter((schema) => !isNull(schema));
  return schemas.length === anyOf.length ? { anyOf } : { type: 'object', nullable: true, allOf: schemas };
}
