/** The paths of the OpenAPI document. */
import { IdempotencyKey, type Operation, Pagination } from '@bv/contract';
import { z } from 'zod';
import { bodyExamples } from './body-examples.ts';
import { errorResponses } from './error-responses.ts';
import { responseHeaders } from './headers.ts';

export const tags = [
  { name: 'Organisations', description: 'Organisations that a key can access, and their use of the tier.' },
  { name: 'Brands', description: 'Own brands, their competitors and summaries.' },
  { name: 'Prompts', description: 'Questions that are put to the AI platforms.' },
  {
    name: 'Results',
    description: 'Measurements: mentions, scores, share of voice, sources, and how they are measured.',
  },
  { name: 'Scans', description: 'Measurements on demand.' },
  { name: 'Webhooks', description: 'Endpoints, subscriptions and deliveries; partner keys only.' },
] as const;

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
      ? z.strictObject({ data })
      : z.strictObject({ data: z.array(data), pagination: Pagination });
  const named = schema.meta({ id: name });
  envelopes.set(name, named);
  return named;
}

/** Without a name of its own, the body of `createPrompt` becomes `CreatePromptRequest`. */
function requestSchema(id: string, body: z.ZodType): z.ZodType {
  if (body.meta()?.id !== undefined) return body;
  return body.meta({ ...body.meta(), id: `${id.charAt(0).toUpperCase()}${id.slice(1)}Request` });
}

function getTag({ id, service, path }: Operation): (typeof tags)[number]['name'] {
  if (service === 'webhooks') return 'Webhooks';
  if (id === 'getMethodology') return 'Results';
  if (service === 'scans') return 'Scans';
  if (id === 'listBrandSummaries') return 'Brands';
  if (service === 'results') return 'Results';
  if (/prompts/.test(path)) return 'Prompts';
  return /brands|properties/.test(path) ? 'Brands' : 'Organisations';
}

/** Example body. Throws when its schema rejects it. */
function toExample({ id, body }: Operation): { example?: unknown } {
  const example = bodyExamples[id];
  if (example === undefined) return {};
  body?.parse(example);
  return { example };
}

function describeOperation(operation: Operation) {
  const { status } = operation.success;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [
      operation.description,
      operation.access === 'write' ? 'Needs the `write` scope.' : undefined,
      operation.partnerOnly ? 'Partner keys only.' : undefined,
    ]
      .filter((line) => line !== undefined)
      .join(' '),
    tags: [getTag(operation)],
    requestParams: {
      path: operation.params as z.ZodObject,
      query: operation.query as z.ZodObject,
      ...(operation.idempotent ? { header: z.object({ 'Idempotency-Key': IdempotencyKey }) } : {}),
    },
    ...(operation.body === null
      ? {}
      : {
          requestBody: {
            required: !operation.body.isOptional(),
            content: {
              'application/json': {
                schema: requestSchema(operation.id, operation.body),
                ...toExample(operation),
              },
            },
          },
        }),
    responses: {
      [`${status}`]: {
        description: 'Success',
        headers: responseHeaders(operation, status),
        content: { 'application/json': { schema: successBody(operation) } },
      },
      ...errorResponses(operation),
    },
  };
}

/** Every operation, below its path. */
export function describePaths(list: readonly Operation[]) {
  const byPath = Map.groupBy(list, (operation) => operation.path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((operation) => [operation.method.toLowerCase(), describeOperation(operation)]),
      ),
    ]),
  );
}
