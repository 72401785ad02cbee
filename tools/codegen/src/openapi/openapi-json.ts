/** The parts of an OpenAPI document, as JSON, that are changed after its creation. */

export type ParameterJson = {
  name: string;
  description?: string;
  example?: unknown;
  schema: { type?: string; description?: string; examples?: unknown[] };
};

export type OperationJson = {
  operationId: string;
  parameters?: ParameterJson[];
  requestBody?: object;
  responses: Record<string, object>;
};

export type OpenApiJson = {
  'x-error-codes': Record<string, object>;
  webhooks?: object;
  paths: Record<string, Record<string, OperationJson>>;
  components: {
    schemas: Record<string, object> & { ErrorContent: { properties: { code: object } } };
    responses?: Record<string, object>;
  };
};

export const listOperations = ({ paths }: OpenApiJson): OperationJson[] =>
  Object.values(paths).flatMap((item) => Object.values(item));
