/** The OpenAPI 3.1 documents, generated from the contract library alone. */
import { type ErrorCode, keepInputMeta, type Operation, revision } from '@bv/contract';
import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import { describeErrorCodes, listCodes, sortCodes } from './error-codes.ts';
import { errorExamples } from './error-examples.ts';
import { headersOf } from './headers.ts';
import type { OpenApiJson } from './openapi-json.ts';
import { describeParameters } from './parameters.ts';
import { describePaths } from './paths.ts';
import { makePortable } from './portable-schemas.ts';
import { shareResponses } from './shared-responses.ts';
import { findUndescribed } from './undescribed.ts';

/** What a document states in addition to its operations. */
export type Api = {
  name: Operation['api'];
  title: string;
  description: string;
  server: { url: string; description: string; variables: Record<string, object> };
  /** Name and description of the bearer scheme. */
  security: Record<string, string>;
  tags: readonly { name: string; description: string }[];
  getTag: (operation: Operation) => string;
  operations: readonly Operation[];
  /** All codes, also those that belong to no operation. */
  codes: readonly ErrorCode[];
  webhooks?: object;
};

export function createApiDocument(api: Api): object {
  const { codes, schemas } = describeErrorCodes(api.codes, api.name);
  // Cloned through JSON, because the steps below change schemas that several places share.
  const document = JSON.parse(JSON.stringify(documentOfContract(api, codes))) as OpenApiJson;
  Object.assign(document.components.schemas, schemas);
  makePortable(document);
  // Not in the description, because `x-error-codes` says more of each.
  Object.assign(document.components.schemas.ErrorContent.properties.code, {
    'x-extensible-enum': api.codes,
  });
  describeParameters(document);
  shareResponses(document, api.operations);
  const undescribed = findUndescribed(document);
  if (undescribed.length > 0) throw new Error(`without a description: ${undescribed.join(', ')}`);
  return document;
}

function documentOfContract(api: Api, codes: Record<string, object>): object {
  const { name, title, description, server, security, tags, getTag, operations, webhooks } = api;
  const schemes = Object.entries(security).map(([scheme, text]) => [
    scheme,
    { type: 'http', scheme: 'bearer', description: text },
  ]);
  const parts = {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      'x-revision': revision,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [server],
    'x-error-codes': codes,
    tags: [...tags],
    security: Object.keys(security).map((scheme) => ({ [scheme]: [] })),
    components: {
      examples: errorExamples(sortCodes(operations.flatMap(listCodes)), name),
      headers: headersOf[name],
      securitySchemes: Object.fromEntries(schemes) as object,
    },
    paths: describePaths(operations, getTag),
    ...(webhooks === undefined ? {} : { webhooks }),
  };
  return createDocument(parts as ZodOpenApiObject, {
    override: (context) => {
      if (context.io === 'input') keepInputMeta(context);
    },
  });
}
