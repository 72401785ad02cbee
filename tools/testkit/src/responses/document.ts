import { readFileSync } from 'node:fs';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

export type HeaderSpec = { required?: boolean; schema: { type?: string } };
export type ResponseSpec = {
  headers?: Record<string, { $ref: string }>;
  /** The examples of an error response are named by its codes. */
  content?: { 'application/json': { schema: object; examples?: Record<string, object> } };
};
type Reference = { $ref: string };
export type OperationSpec = { operationId: string; responses: Record<string, ResponseSpec | Reference> };
type Document = {
  'x-error-codes': Record<string, { details?: object }>;
  paths: Record<string, Record<string, OperationSpec>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, HeaderSpec>;
    responses: Record<string, ResponseSpec>;
  };
};

const documentUrl = new URL('../../../../docs/openapi.json', import.meta.url);

export const getBodySchema = (response: ResponseSpec): object | undefined =>
  response.content?.['application/json'].schema;
export const getErrorCodes = (response: ResponseSpec): string[] =>
  Object.keys(response.content?.['application/json'].examples ?? {});

/** The document lets responses have further fields and values, which the API may add. In a test each must be in it. */
function strict(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('additionalProperties' in value && value.additionalProperties === true)
    value.additionalProperties = false;
  if (!('x-extensible-enum' in value)) return value;
  // The type says whether null is valid.
  return { ...value, enum: [...(value['x-extensible-enum'] as string[]), null] };
}

/** The generated description of the public API with compiled validators. */
export function readDocument() {
  const document = JSON.parse(readFileSync(documentUrl, 'utf8'), strict) as Document;
  const { headers, responses, schemas } = document.components;
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, formats: fullFormats });
  // Schemas refer to each other by `#/components/schemas/...`, so they need a common root.
  const root = { $id: 'openapi:', components: { schemas } };
  ajv.addVocabulary(['components', 'x-extensible-enum']);
  ajv.addSchema(JSON.parse(JSON.stringify(root).replaceAll('"#/', '"openapi:#/')) as object);
  const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>();
  const getValidator = (schema: object) => {
    const cached = validators.get(schema);
    if (cached !== undefined) return cached;
    const validator = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi:#/')) as object,
    );
    validators.set(schema, validator);
    return validator;
  };
  const templates = Object.entries(document.paths).map(([template, methods]) => ({
    methods,
    parameters: template.split('{').length,
    pattern: new RegExp(`^/v1${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // Fixed paths first: `/brands/summary` must not match `/brands/{brand}`.
  templates.sort((a, b) => a.parameters - b.parameters);
  return {
    findOperation(method: string, path: string): OperationSpec | undefined {
      const found = templates.find(({ pattern }) => pattern.test(path));
      return found?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
    },
    /** The response of an operation to a status; undefined if it has none. */
    findResponse(operation: OperationSpec, status: number): ResponseSpec | undefined {
      const response = operation.responses[status];
      return response !== undefined && '$ref' in response
        ? responses[response.$ref.split('/').at(-1) ?? '']
        : response;
    },
    /** The schema of `details` of an error code; undefined if it has none. */
    getDetailsSchema: (code: string): object | undefined => document['x-error-codes'][code]?.details,
    /** Keys are header names in lower case. */
    toHeaderMap(response: ResponseSpec): Map<string, HeaderSpec> {
      return new Map(
        Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
          const spec = headers[$ref.split('/').at(-1) ?? ''];
          if (spec === undefined) throw new Error(`${$ref} is not in the document`);
          return [name.toLowerCase(), spec];
        }),
      );
    },
    /** Returns one line per violation of the schema, or an empty list. */
    violations(schema: object, value: unknown): string[] {
      const validate = getValidator(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(describe);
    },
  };
}

export type ApiDocument = ReturnType<typeof readDocument>;

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || 'body'} ${message ?? ''} ${JSON.stringify(params)}`;
}
