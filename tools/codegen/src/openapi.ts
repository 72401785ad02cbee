/** The OpenAPI 3.1 document, generated from the contract library alone. */
import { type Operation, operations, Pagination, webhookEvents } from '@bv/contract';
import { commonRefusals, errorCodeList } from './common-refusals.ts';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { bodyExamples } from './body-examples.ts';
import { errorExamples, errorResponses } from './error-responses.ts';
import { describeFields } from './field-descriptions.ts';
import { headers, responseHeaders } from './openapi-headers.ts';

function successBody(operation: Operation): z.ZodType {
  const { kind, data } = operation.success;
  if (kind === 'item') return z.strictObject({ data });
  return z.strictObject({ data: z.array(data), pagination: Pagination });
}

const tags = [
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
      ...(operation.idempotent
        ? { header: z.object({ 'Idempotency-Key': z.string().min(1).max(255).optional() }) }
        : {}),
    },
    ...(operation.body === null
      ? {}
      : {
          requestBody: {
            required: !operation.body.isOptional(),
            content: { 'application/json': { schema: operation.body, ...toExample(operation) } },
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

function groupByPath(list: readonly Operation[]) {
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
          '2XX': { description: 'Received. Any other response is retried.' },
          '410': { description: 'The receiver is gone. The delivery is not retried.' },
        },
      },
    },
  ]),
);

/** The document of the public API, as committed in docs/openapi.json. */
export function openApiDocument(): object {
  // Cloned through JSON, because shared objects would all get the same description.
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
      description: `How AI platforms mention a brand: measurements per market, writes and webhooks.\n\n${commonRefusals()}`,
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
    paths: groupByPath(operations),
    webhooks,
  } as Parameters<typeof createDocument>[0]);
}
