import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiDocument, operatorApi } from '@bv/codegen';
import { describe, expect, test } from '@jest/globals';

type Node = Record<string, unknown>;
type Document = { components: { schemas: Record<string, { enum?: string[] }> } };

const publicDocument = JSON.parse(
  readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
) as Document;
const documents = [
  ['openapi.json', publicDocument],
  ['the operator API', createApiDocument(operatorApi) as Document],
] as const;

/** Calls `visit` for every part of the document except examples, with its path. */
function walk(value: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Node, path);
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(child, `${path}/${key}`, visit);
  }
}

function findPaths(document: Document, isFound: (node: Node, path: string) => boolean): string[] {
  const found: string[] = [];
  walk(document, '', (node, path) => {
    if (isFound(node, path)) found.push(path);
  });
  return found;
}

describe.each(documents)('schemas of %s, which generators of clients read alike:', (_, document) => {
  test('every object has a name without dots', () => {
    const named = /^\/components\/schemas\/[A-Z][A-Za-z0-9]*$/;
    const isObject = (node: Node): boolean => 'type' in node && 'properties' in node;
    expect(findPaths(document, isObject).length).toBeGreaterThan(30);
    expect(findPaths(document, (node, path) => isObject(node) && !named.test(path))).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
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
    const isNullable = ({ type }: Node): boolean => Array.isArray(type) && type.includes('null');
    expect(findPaths(document, isUnionWithNull)).toEqual([]);
    expect(findPaths(document, isNullable).length).toBeGreaterThan(15);
  });

  test('a format has no pattern, and a boolean no constant', () => {
    expect(findPaths(document, (node) => 'format' in node && 'pattern' in node)).toEqual([]);
    expect(findPaths(document, (node) => node['type'] === 'boolean' && 'const' in node)).toEqual([]);
  });
});

test('only the bodies that create webhook resources reject further fields', () => {
  const strict = findPaths(publicDocument, (node) => node['additionalProperties'] === false);
  expect(strict).toEqual([
    '/components/schemas/CreateSubscriptionRequest',
    '/components/schemas/CreateWebhookEndpointRequest',
  ]);
});
