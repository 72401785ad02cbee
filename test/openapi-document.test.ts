import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiDocument, operatorApi } from '@bv/codegen';
import { describe, expect, test } from '@jest/globals';

type Content = {
  schema: { $ref?: string };
  example?: unknown;
  examples: Record<string, object>;
};
type Response = { content: Record<string, Content> };
type Parameter = { name: string; description?: string; example?: unknown; schema: object };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
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

const docs = join(import.meta.dirname, '../docs');
const publicDocument = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as Document;
const documents = [
  ['openapi.json', publicDocument],
  ['the operator API', createApiDocument(operatorApi) as Document],
] as const;

const listOperations = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

/** The content of each error response by operation. */
function listErrors(document: Document): [operationId: string, content: Content | undefined][] {
  return listOperations(document).flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => status >= '400')
      .map(([, response]): [string, Content | undefined] => {
        const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
        const found = name === undefined ? response : document.components.responses[name];
        return [operationId, (found as Response | undefined)?.content['application/json']];
      }),
  );
}

test('titles of operations have at most four words', () => {
  const titles = listOperations(publicDocument).map(({ summary }) => summary);
  expect(titles.filter((title) => title.split(' ').length > 4)).toEqual([]);
});

test('refusals without an operation are in the description and in the list of codes', () => {
  const refusals = { invalid_request: 400, headers_too_large: 431, cors_disabled: 405 };
  for (const [code, status] of Object.entries(refusals)) {
    expect(publicDocument.info.description).toContain(`| ${status} | \`${code}\` |`);
    expect(publicDocument['x-error-codes'][code]).toMatchObject({ status, 'x-retryable': false });
  }
});

test('queries have defaults and dates, and the server has a host', () => {
  const find = (id: string, name: string): object | undefined =>
    listOperations(publicDocument)
      .find(({ operationId }) => operationId === id)
      ?.parameters?.find((each) => each.name === name)?.schema;
  expect(find('listBrands', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 });
  expect(find('listBrands', 'is_own')).toEqual({ type: 'boolean' });
  expect(find('listScores', 'from')).toEqual({ type: 'string', format: 'date' });
  const servers = [{ url: 'https://{host}/v1', variables: { host: {} } }];
  expect(publicDocument.servers).toMatchObject(servers);
});

test('the changelog names the revision', () => {
  const { 'x-revision': revision } = publicDocument.info;
  expect(revision).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  const changelog = readFileSync(join(docs, '../CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`## API, revision ${revision}\n`);
});

test('both clients have one version, which the guides install and whose changelog names the revision', () => {
  const read = (path: string): string => readFileSync(join(docs, '../clients', path), 'utf8');
  const { version } = JSON.parse(read('sdk/package.json')) as { version: string };
  expect(read('sdk-python/src/bv_sdk/version.py')).toBe(`__version__ = "${version}"\n`);
  const named = ['guides/clients.md', 'guides/warehouse.md', '../clients/sdk/README.md'].flatMap((path) =>
    Array.from(readFileSync(join(docs, path), 'utf8').matchAll(/\/docs\/downloads\/bv[_-]sdk-([\d.]+\d)/g)),
  );
  expect(named.map(([, each]) => each)).toEqual(Array(4).fill(version));
  const [, newest = ''] = read('sdk/CHANGELOG.md').split('\n## ');
  expect(newest.split('\n')[0]).toBe(version);
  expect(newest).toContain(`revision ${publicDocument.info['x-revision']} of the API`);
});

describe.each(documents)('%s', (_, document) => {
  const operations = listOperations(document);

  test('every refusal has the same schema, which lists the codes', () => {
    const code = document.components.schemas['ErrorContent']?.properties?.['code'];
    expect(code).toMatchObject({ 'x-extensible-enum': Object.keys(document['x-error-codes']) });
    const schema = { $ref: '#/components/schemas/ErrorResponse' };
    for (const [id, content] of listErrors(document)) expect([id, content?.schema]).toEqual([id, schema]);
  });

  test('the list of codes contains those of every operation', () => {
    const listed = new Set(Object.keys(document['x-error-codes']));
    const errors = listErrors(document);
    expect(errors.length).toBeGreaterThan(100);
    for (const [, content] of errors) {
      const codes = Object.keys(content?.examples ?? {});
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) expect(listed).toContain(code);
    }
  });

  test('every example of an error says whether the request may be repeated', () => {
    for (const [code, example] of Object.entries(document.components.examples)) {
      const retryable = document['x-error-codes'][code]?.['x-retryable'];
      expect([code, example['x-retryable']]).toEqual([code, retryable]);
    }
  });

  test('every operation says more than its summary', () => {
    for (const { operationId, description } of operations) {
      expect([operationId, description.length >= 30]).toEqual([operationId, true]);
    }
  });

  test('every parameter has a description and an example', () => {
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(20);
    for (const parameter of parameters) {
      expect(parameter).toMatchObject({ description: expect.any(String), example: expect.anything() });
    }
  });

  test('every write has its own example of an Idempotency-Key', () => {
    const keys = operations.flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ example }) => example),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every body of a request has an example', () => {
    const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    expect(bodies.length).toBeGreaterThan(8);
    for (const { example } of bodies) expect(example).toBeDefined();
  });

  test('every success has a recorded example', () => {
    for (const { operationId, responses } of operations) {
      const success = Object.entries(responses).find(([status]) => status < '300')?.[1] as Response;
      const { example } = success.content['application/json'] ?? {};
      // A missing one: add its call to tools/codegen/src/examples and run `pnpm record:examples`.
      const recorded = expect.objectContaining({ data: expect.anything() });
      expect([operationId, example]).toEqual([operationId, recorded]);
    }
  });
});

test('every operation of the public API can return the refusals of the HTTP parser', () => {
  const byOperation = Map.groupBy(listErrors(publicDocument), ([id]) => id);
  for (const errors of byOperation.values()) {
    const codes = errors.flatMap(([, content]) => Object.keys(content?.examples ?? {}));
    expect(codes).toEqual(expect.arrayContaining(['invalid_request', 'headers_too_large']));
  }
});
