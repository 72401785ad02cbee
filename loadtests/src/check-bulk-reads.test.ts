import { expect, test } from '@jest/globals';
import { checkBulkReads } from './check-bulk-reads.ts';
import type { ResponseRecord } from './record.ts';
import { createViolations } from './violations.ts';

const page = (readId: string, rows: string[], last: boolean) =>
  ({ status: 200, page: { readId, rows, last } }) as ResponseRecord;
const findBrokenRules = (records: ResponseRecord[]): string[] => {
  const violations = createViolations();
  checkBulkReads(records, { unitsOfBrand: 3 }, violations);
  return violations.list().map(({ rule }) => rule);
};
const whole = [page('brand 1', ['a', 'b'], false), page('brand 1', ['c'], true)];

test('equal bulk reads pass, also one that the end of the run cut short', () => {
  const others = [
    page('brand 2', ['a', 'b', 'c'], true),
    page('brand 3', ['a'], false),
    page('other 4', ['d', 'e', 'f'], true),
  ];
  expect(findBrokenRules([...whole, ...others])).toEqual([]);
});

test('a row twice, a missing row and a run without a complete bulk read are reported', () => {
  expect(findBrokenRules([...whole, page('brand 2', ['a', 'b', 'b', 'c'], true)])).toEqual([
    'no row is returned twice',
  ]);
  expect(findBrokenRules([...whole, page('brand 2', ['a', 'c', 'd'], true)])).toEqual([
    'every bulk read returns the same rows',
  ]);
  expect(findBrokenRules([page('brand 1', ['a', 'c'], true)])).toEqual([
    'a bulk read returns what was imported',
  ]);
  expect(findBrokenRules([page('brand 1', ['a'], false)])).toEqual(['at least one bulk read is complete']);
});
