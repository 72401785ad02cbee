/** The OpenAPI 3.1 document, generated from the contract library alone. */
import { operations, revision } from '@bv/contract';
import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import { keepInputMeta } from '../input-meta.ts';
import { commonRefusals, describeErrorCodes, operationErrorCodes, publicErrorCodes } from './error-codes.ts';
import { errorExamples } from './error-examples.ts';
import { describeFields } from './field-descriptions.ts';
import { headers } from './headers.ts';
import { describePaths, tags } from './paths.ts';
import type { OpenApiJson } from './openapi-json.ts';
import { describeParameters } from './parameters.ts';
import { makePortable } from './portable-schemas.ts';
import { shareResponses } from './shared-responses.ts';
import { webhooks } from './webhooks.ts';

/** The document of the public API, as committed in docs/openapi.json. */
export function openApiDocument(): object {
  const { codes, schemas } = describeErrorCodes();
  // Cloned through JSON, because shared objects would all get the same description.
  const document = JSON.parse(JSON.stringify(documentOfContract(codes))) as OpenApiJson;
  Object.assign(document.components.schemas, schemas);
  // Not an enum: a client that knows fewer codes must accept the response.
  Object.assign(document.components.schemas.ApiErrorContent.properties.code, {
    'x-extensible-enum': publicErrorCodes,
  });
  makePortable(document);
  describeParameters(document);
  shareResponses(document, operations);
  const nameless = describeFields(document);
  if (nameless.length > 0) throw new Error(`fields without a description: ${nameless.join(', ')}`);
  return document;
}

function documentOfContract(codes: Record<string, object>): object {
  const parts = {
    openapi: '3.1.0',
    info: {
      title: 'Brand Visibility Data API',
      version: '1.0.0',
      'x-revision': revision,
      description: `How AI platforms mention a brand: measurements per market, writes and webhooks.\n\nTimes are ISO 8601 in UTC, dates are YYYY-MM-DD in UTC. Rates, scores and sentiments are 0 to 100. null means no data; 0 means measured and absent.\n\n${commonRefusals()}`,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: 'https://{host}/v1',
        description: 'The gateway of your installation.',
        variables: { host: { default: 'api.example.com', description: 'Host name of the gateway.' } },
      },
    ],
    'x-error-codes': codes,
    tags: [...tags],
    security: [{ apiKey: [] }],
    components: {
      examples: errorExamples(operationErrorCodes),
      headers,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
    paths: describePaths(operations),
    webhooks,
  };
  return createDocument(parts as ZodOpenApiObject, {
    override: (context) => {
      if (context.io === 'input') keepInputMeta(context);
    },
  });
}
