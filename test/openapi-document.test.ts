import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

type Response = { content: { 'application/json': { examples: Record<string, unknown> } } };
type Document = {
  info: { description: string };
  'x-error-codes': Record<string, { status: number; retryable: boolean }>;
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
};
const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
) as Document;

test('document: refusals without an operation are in the description and in the list of codes', () => {
  const refusals = { invalid_request: 400, headers_too_large: 431, cors_disabled: 405 };
  for (const [code, status] of Object.entries(refusals)) {
    expect(document.info.description).toContain(`| ${status} | \`${code}\` |`);
    expect(document['x-error-codes'][code]).toMatchObject({ status, retryable: false });
  }
});

test('document: the list of codes contains those of every operation', () => {
  const listed = new Set(Object.keys(document['x-error-codes']));
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      const codes = Object.entries(responses).flatMap(([status, { content }]) =>
        status < '400' ? [] : Object.keys(content['application/json'].examples),
      );
      expect(codes).toEqual(expect.arrayContaining(['invalid_request', 'headers_too_large']));
      for (const code of codes) expect(listed).toContain(code);
    }
  }
});
