import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

type Response = {
  content: { 'application/json': { schema: { $ref?: string }; examples: Record<string, object> } };
};
type Parameter = { name: string; description?: string; example?: unknown; schema: object };
type Operation = {
  operationId: string;
  description: string;
  parameters?: Parameter[];
  responses: Record<string, Response | { $ref: string }>;
};
type Document = {
  info: { description: string; 'x-revision': string };
  servers: { url: string; variables: Record<string, { default: string }> }[];
  'x-error-codes': Record<string, { status: number; 'x-retryable': boolean }>;
  components: {
    schemas: Record<string, { enum?: string[]; properties?: Record<string, object> }>;
    responses: Record<string, Response>;
    examples: Record<string, { 'x-retryable': boolean }>;
  };
  paths: Record<string, Record<string, Operation>>;
};
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
) as Document;

function getContent(response: Response | { $ref: string }): Response['content']['application/json'] {
  const found =
    '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
  if (found === undefined) throw new Error('a reference leads to nothing');
  return found.content['application/json'];
}

test('document: refusals without an operation are in the description and in the list of codes', () => {
  const refusals = { invalid_request: 400, headers_too_large: 431, cors_disabled: 405 };
  for (const [code, status] of Object.entries(refusals)) {
    expect(document.info.description).toContain(`| ${status} | \`${code}\` |`);
    expect(document['x-error-codes'][code]).toMatchObject({ status, 'x-retryable': false });
  }
});

test('document: every refusal has the same schema, which lists the codes', () => {
  const listed = Object.keys(document['x-error-codes']);
  const code = document.components.schemas['ApiErrorContent']?.properties?.['code'];
  expect(code).toMatchObject({ 'x-extensible-enum': listed });
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (status < '400') continue;
        expect(getContent(response).schema).toEqual({ $ref: '#/components/schemas/ApiError' });
      }
    }
  }
});

test('document: every example of an error says whether the request may be repeated', () => {
  for (const [code, example] of Object.entries(document.components.examples)) {
    expect([code, example['x-retryable']]).toEqual([code, document['x-error-codes'][code]?.['x-retryable']]);
  }
});

test('document: the list of codes contains those of every operation', () => {
  const listed = new Set(Object.keys(document['x-error-codes']));
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      const codes = Object.entries(responses).flatMap(([status, response]) =>
        status < '400' ? [] : Object.keys(getContent(response).examples),
      );
      expect(codes).toEqual(expect.arrayContaining(['invalid_request', 'headers_too_large']));
      for (const code of codes) expect(listed).toContain(code);
    }
  }
});

const described = Object.values(document.paths).flatMap((item) => Object.values(item));

test('document: every operation says more than its summary', () => {
  for (const { operationId, description } of described) {
    expect([operationId, description.length >= 60]).toEqual([operationId, true]);
  }
});

test('document: every parameter has a description and an example', () => {
  const parameters = described.flatMap((operation) => operation.parameters ?? []);
  expect(parameters.length).toBeGreaterThan(100);
  for (const parameter of parameters) {
    expect(parameter).toMatchObject({ description: expect.any(String), example: expect.anything() });
  }
});

test('document: queries have defaults and dates, and the server a host', () => {
  const find = (id: string, name: string) =>
    described.find(({ operationId }) => operationId === id)?.parameters?.find((each) => each.name === name);
  expect(find('listBrands', 'limit')?.schema).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 50,
  });
  expect(find('listBrands', 'is_own')?.schema).toEqual({ type: 'boolean' });
  expect(find('listScores', 'from')?.schema).toEqual({ type: 'string', format: 'date' });
  expect(document.servers).toMatchObject([{ url: 'https://{host}/v1', variables: { host: {} } }]);
});

test('the changelog names the revision of the document', () => {
  const { 'x-revision': revision } = document.info;
  expect(revision).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`Revision ${revision} of the API description`);
});

type Node = Record<string, unknown>;

/** Calls `visit` for every part of the document except examples, with its path. */
function walk(value: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Node, path);
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(child, `${path}/${key}`, visit);
  }
}

function pathsWhere(isFound: (node: Node, path: string) => boolean): string[] {
  const found: string[] = [];
  walk(document, '', (node, path) => {
    if (isFound(node, path)) found.push(path);
  });
  return found;
}

describe('document: schemas that generators of clients read alike', () => {
  test('every object has a name without dots', () => {
    const named = /^\/components\/schemas\/[A-Z][A-Za-z0-9]*$/;
    const isObject = (node: Node): boolean => 'type' in node && 'properties' in node;
    expect(pathsWhere((node, path) => isObject(node) && !named.test(path))).toEqual([]);
  });

  test('named enums have no value in common, which would be one constant in Go', () => {
    const values = Object.values(document.components.schemas).flatMap((schema) => schema.enum ?? []);
    expect(values.length).toBeGreaterThan(0);
    expect(new Set(values).size).toBe(values.length);
  });

  test('null is part of a type array, except next to a reference', () => {
    const isUnionWithNull = (node: Node): boolean => {
      const members = node['anyOf'] as Node[] | undefined;
      return members?.some(({ type }) => type === 'null') === true && !members.some((each) => '$ref' in each);
    };
    expect(pathsWhere(isUnionWithNull)).toEqual([]);
    expect(pathsWhere(({ type }) => Array.isArray(type) && type.includes('null')).length).toBeGreaterThan(20);
  });

  test('a format has no pattern, and a boolean no constant', () => {
    expect(pathsWhere((node) => 'format' in node && 'pattern' in node)).toEqual([]);
    expect(pathsWhere((node) => node['type'] === 'boolean' && 'const' in node)).toEqual([]);
  });

  test('only bodies of requests reject further fields', () => {
    const strict = pathsWhere((node) => node['additionalProperties'] === false);
    expect(strict).toEqual([
      '/components/schemas/CreateSubscriptionRequest',
      '/components/schemas/CreateWebhookEndpointRequest',
    ]);
  });
});
