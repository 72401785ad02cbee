/** The paths of the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { IdempotencyKey, ImportLine, type Operation, Pagination } from '@bv/contract';
import { z } from 'zod';
import { bodyExamples } from './body-examples.ts';
import { errorResponses } from './error-responses.ts';
import { responseHeaders } from './headers.ts';

const envelopes = new Map<string, z.ZodType>();

/** `Prompt` becomes `PromptEnvelope` or `PromptPage`. Generators use names like `GetPromptResponse` themselves. */
function successBody({ id, success: { kind, data } }: Operation): z.ZodType {
  const dataId = data.meta()?.id;
  if (dataId === undefined) throw new Error(`the data of ${id} has no name`);
  const name = `${dataId}${kind === 'item' ? 'Envelope' : 'Page'}`;
  const known = envelopes.get(name);
  if (known !== undefined) return known;
  const schema =
    kind === 'item'
      ? z.strictObject({ data: data.describe('What the operation returns.') })
      : z.strictObject({
          data: z.array(data).describe('The items of the page, in the order of the list.'),
          pagination: Pagination.describe('Where the list continues.'),
        });
  const named = schema.meta({ id: name });
  envelopes.set(name, named);
  return named;
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../src/examples/responses.json'), 'utf8'),
) as Record<string, unknown>;

/** The schema of the response, and the recorded example. Throws when the schema rejects it. */
function describeSuccess(operation: Operation): { schema: z.ZodType; example?: unknown } {
  const schema = successBody(operation);
  const example = recorded[operation.id];
  if (example === undefined) return { schema };
  const { error } = schema.safeParse(example);
  if (error === undefined) return { schema, example };
  const reason = z.prettifyError(error);
  throw new Error(`the example of ${operation.id} is invalid: run \`pnpm record:examples\`\n${reason}`);
}

/** Without a name of its own, the body of `createPrompt` becomes `CreatePromptRequest`. */
function requestSchema(id: string, body: z.ZodType): z.ZodType {
  if (body.meta()?.id !== undefined) return body;
  return body.meta({ ...body.meta(), id: `${id.charAt(0).toUpperCase()}${id.slice(1)}Request` });
}

/** Example body. Throws when its schema rejects it. */
function toExample(id: string, schema: z.ZodType): { example: unknown } {
  const example = bodyExamples[id];
  if (example === undefined) throw new Error(`the body of ${id} has no example`);
  schema.parse(example);
  return { example };
}

function requestBody(operation: Operation): { requestBody?: object } {
  const { id, body, bodyKind } = operation;
  const [mediaType, schema] =
    bodyKind === 'ndjson' ? ['application/x-ndjson', ImportLine] : ['application/json', body];
  if (schema === null) return {};
  return {
    requestBody: {
      required: !schema.isOptional(),
      ...(bodyKind === 'ndjson' ? { description: 'One JSON object a line, each of this schema.' } : {}),
      content: { [mediaType]: { schema: requestSchema(id, schema), ...toExample(id, schema) } },
    },
  };
}

/** Each operation has its own example: a key that is sent with another request is refused. */
const idempotencyHeader = ({ id }: Operation): z.ZodObject =>
  z.object({
    'Idempotency-Key': IdempotencyKey.meta({ ...IdempotencyKey.meta(), examples: [`${id}-row-17`] }),
  });

function describeOperation(operation: Operation, tag: string) {
  const { status } = operation.success;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [
      operation.description,
      operation.idempotent ? 'Needs the `write` scope.' : undefined,
      operation.partnerOnly ? 'Partner keys only.' : undefined,
    ]
      .filter((line) => line !== undefined)
      .join(' '),
    tags: [tag],
    requestParams: {
      path: operation.params as z.ZodObject,
      query: operation.query as z.ZodObject,
      ...(operation.idempotent ? { header: idempotencyHeader(operation) } : {}),
    },
    ...requestBody(operation),
    responses: {
      [`${status}`]: {
        description: STATUS_CODES[status],
        headers: responseHeaders(operation, status),
        content: { 'application/json': describeSuccess(operation) },
      },
      ...errorResponses(operation),
    },
  };
}

/** Every operation, below its path. */
export function describePaths(list: readonly Operation[], getTag: (operation: Operation) => string) {
  const byPath = Map.groupBy(list, (operation) => operation.path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((operation) => [
          operation.method.toLowerCase(),
          describeOperation(operation, getTag(operation)),
        ]),
      ),
    ]),
  );
}
