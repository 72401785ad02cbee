import { expect, test } from '@jest/globals';
import { checkWalks } from './check-walks.ts';
import type { AnswerRecord } from './record.ts';
import { createViolations } from './violations.ts';

const page = (walk: string, rows: string[], last: boolean) =>
  ({ status: 200, page: { walk, rows, last } }) as AnswerRecord;
const rulesBroken = (records: AnswerRecord[]): string[] => {
  const violations = createViolations();
  checkWalks(records, { unitsOfBrand: 3 }, violations);
  return violations.list().map(({ rule }) => rule);
};
const whole = [page('brand 1', ['a', 'b'], false), page('brand 1', ['c'], true)];

test('walks that agree are found to, one cut short by the end of the run too', () => {
  const others = [
    page('brand 2', ['a', 'b', 'c'], true),
    page('brand 3', ['a'], false),
    page('other 4', ['d', 'e', 'f'], true),
  ];
  expect(rulesBroken([...whole, ...others])).toEqual([]);
});

test('a row twice, a row missing and a run without a whole walk are found', () => {
  expect(rulesBroken([...whole, page('brand 2', ['a', 'b', 'b', 'c'], true)])).toEqual([
    'a walk gives no row twice',
  ]);
  expect(rulesBroken([...whole, page('brand 2', ['a', 'c', 'd'], true)])).toEqual([
    'every walk gives the same rows',
  ]);
  expect(rulesBroken([page('brand 1', ['a', 'c'], true)])).toEqual(['a walk gives what was imported']);
  expect(rulesBroken([page('brand 1', ['a'], false)])).toEqual(['some walk comes to its end']);
});
