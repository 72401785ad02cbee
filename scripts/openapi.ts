/** The OpenAPI 3.1 document, made from the contract library and nothing else. */
import { type Operation, operations, Pagination, webhookEvents } from '@bv/contract';
import { commonRefusals, errorCodeList } from './common-refusals.ts';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { bodyExamples } from './body-examples.ts';
import { errorExamples, errorResponses } from './error-responses.ts';
import { describeFields } from './field-descriptions.ts';
import { headers, headersOf } from './openapi-headers.ts';

function successBody(operation: Operation): z.ZodType {
  const { kind, data } = operation.success;
  if (kind === 'item') return z.strictObject({ data });
  return z.strictObject({ data: z.array(data), pagination: Pagination });
}

const tags = [
  { name: 'Organisations', description: 'What a key reaches, and its use of the plan.' },
  { name: 'Brands', description: 'Own brands, their competitors, and how they stand.' },
  { name: 'Prompts', description: 'What the AI platforms are asked.' },
  { name: 'Results', description: 'What was measured: mentions, scores, share of voice and sources.' },
  { name: 'Scans', description: 'Measurements on demand.' },
  { name: 'Webhooks', description: 'Endpoints, subscriptions and deliveries; partner keys only.' },
] as const;

function tagOf({ id, service, path }: Operation): (typeof tags)[number]['name'] {
  if (service === 'webhooks') return 'Webhooks';
  if (service === 'scans') return 'Scans';
  if (id === 'listBrandSummaries') return 'Brands';
  if (service === 'results') return 'Results';
  if (/prompts/.test(path)) return 'Prompts';
  return /brands|properties/.test(path) ? 'Brands' : 'Organisations';
}

/** An example that its own schema refuses would teach the wrong thing. */
function exampleOf({ id, body }: Operation): { example?: unknown } {
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
    tags: [tagOf(operation)],
    requestParams: {
      path: operation.params as z.ZodObject,
      query: operation.query as z.ZodObject,
      ...(operation.idempotent
        ? { header: z.object({ 'Idempotency-Key': z.string().min(1).max(255).optional() }) }
        : {}),
    },
    ...(operation.body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: operation.body, ...exampleOf(operation) } },
          },
        }),
    responses: {
      [`${status}`]: {
        description: 'Success',
        headers: headersOf(operation, status),
        content: { 'application/json': { schema: successBody(operation) } },
      },
      ...errorResponses(operation),
    },
  };
}

function pathsOf(list: readonly Operation[]) {
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

const webhooks = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, schema]) => [
    type,
    {
      post: {
        summary: `Sent to endpoints subscribed to ${type}`,
        operationId: `webhook.${type}`,
        security: [],
        requestParams: {
          header: z.object({
            'webhook-id': z.string().describe('Id of the event, the same on every attempt.'),
            'webhook-timestamp': z.string().describe('Unix seconds of the attempt.'),
            'webhook-signature': z.string().describe('Standard Webhooks signature: v1,<base64>.'),
          }),
        },
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Received. Any other answer is tried again.' },
          '410': { description: 'The receiver wants no more.' },
        },
      },
    },
  ]),
);

/** The document of the public API, as committed in docs/openapi.json. */
export function openApiDocument(): object {
  // Through JSON, so that a description given to one place is not given to all that share its object.
  const document = JSON.parse(JSON.stringify(documentOfContract())) as object;
  const nameless = describeFields(document);
  if (nameless.length > 0) throw new Error(`fields without a description: ${nameless.join(', ')}`);
  return document;
}

function documentOfContract(): object {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Brand Visibility Data API',
      version: '1.0.0',
      description: `How AI platforms speak about a brand: measured, per market, with writes and webhooks.\n\n${commonRefusals()}`,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/v1', description: 'The server this document comes from.' }],
    'x-error-codes': errorCodeList(),
    tags: [...tags],
    security: [{ apiKey: [] }],
    components: {
      examples: errorExamples(operations),
      headers,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
    paths: pathsOf(operations),
    webhooks,
  } as Parameters<typeof createDocument>[0]);
}
