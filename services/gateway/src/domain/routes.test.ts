import { operations, operatorOperations } from '@bv/contract';
import { expect, test } from '@jest/globals';
import { buildRouteTable } from './routes.ts';

const table = buildRouteTable(operations);
const match = (method: string, path: string) => table.match(method, path)?.operation.id;

test('every operation is found by its own path', () => {
  for (const [routes, list] of [
    [table, operations],
    [buildRouteTable(operatorOperations), operatorOperations],
  ] as const) {
    for (const operation of list) {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
      expect(routes.match(operation.method, path)?.operation).toBe(operation);
    }
  }
});

test('a literal segment has precedence over a parameter, unless it has no match', () => {
  expect(match('GET', '/orgs/x/brands/summary')).toBe('listBrandSummaries');
  expect(match('GET', '/orgs/x/brands/summary/mentions')).toBe('listMentions');
  expect(match('GET', '/orgs/x/brands/summar')).toBe('getBrand');
});

test('parameters by name, decoded; HEAD as GET', () => {
  const found = table.match('HEAD', '/orgs/a%20b/prompts/c/results');
  expect(found?.operation.id).toBe('listPromptResults');
  expect(found?.params).toEqual({ orgId: 'a b', promptId: 'c' });
});

test.each([
  ['GET', '/'],
  ['GET', ''],
  ['GET', '/orgs/'],
  ['GET', '/orgs//brands'],
  ['GET', '/Orgs'],
  ['GET', 'orgs'],
  ['POST', '/orgs/x'],
  ['OPTIONS', '/orgs'],
  ['GET', `/orgs${'/x'.repeat(10_000)}`],
])('%s %.20s has no match', (method, path) => {
  expect(match(method, path)).toBeUndefined();
});
