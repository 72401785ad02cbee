import { expect, test } from '@jest/globals';
import { checkSteady } from './check-steady.ts';
import type { ResponseRecord } from './record.ts';
import { createViolations } from './violations.ts';

function findBrokenRules(
  megabytesAt: (second: number) => number,
  durationAt: (second: number) => number,
): string[] {
  const seconds = Array.from({ length: 90 }, (_, second) => second);
  const memory = seconds.map((second) => ({ second, megabytes: [100, megabytesAt(second)] }));
  const records = seconds.map(
    (second) => ({ startMs: second * 1_000, durationMs: durationAt(second) }) as ResponseRecord,
  );
  const violations = createViolations();
  checkSteady(records, { memory, names: ['gateway', 'catalog'], expectedCount: 90 }, violations);
  return violations.list().map(({ rule }) => rule);
}

test('a warm-up is no growth', () => {
  const warmsUp = (second: number): number => Math.min(100 + second * 4, 200);
  expect(findBrokenRules(warmsUp, (second) => (second < 5 ? 300 : 10))).toEqual([]);
});

test('growing memory and growing latency are reported', () => {
  expect(
    findBrokenRules(
      (second) => 100 + second * 4,
      () => 10,
    ),
  ).toEqual(['memory is constant']);
  expect(
    findBrokenRules(
      () => 100,
      (second) => 10 + second ** 2 / 10,
    ),
  ).toEqual(['latency is constant']);
});

test('too few memory samples are reported', () => {
  const violations = createViolations();
  const memory = Array.from({ length: 60 }, (_, second) => ({ second, megabytes: [100] }));
  checkSteady([], { memory, names: ['gateway'], expectedCount: 90 }, violations);
  checkSteady([], { memory, names: [], expectedCount: 60 }, violations);
  expect(violations.list()).toMatchObject([{ rule: 'memory is sampled', count: 2 }]);
});
