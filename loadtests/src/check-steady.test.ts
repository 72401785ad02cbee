import { expect, test } from '@jest/globals';
import { checkSteady } from './check-steady.ts';
import type { AnswerRecord } from './record.ts';
import { createViolations } from './violations.ts';

function rulesBroken(
  megabytesAt: (second: number) => number,
  durationAt: (second: number) => number,
): string[] {
  const seconds = Array.from({ length: 90 }, (_, second) => second);
  const memory = seconds.map((second) => ({ second, megabytes: [100, megabytesAt(second)] }));
  const records = seconds.map(
    (second) => ({ startMs: second * 1_000, durationMs: durationAt(second) }) as AnswerRecord,
  );
  const violations = createViolations();
  checkSteady(records, { memory, names: ['gateway', 'catalog'], wanted: 90 }, violations);
  return violations.list().map(({ rule }) => rule);
}

test('a warm-up is no growth', () => {
  const warmsUp = (second: number): number => Math.min(100 + second * 4, 200);
  expect(rulesBroken(warmsUp, (second) => (second < 5 ? 300 : 10))).toEqual([]);
});

test('memory that grows on and answers that slow down are found', () => {
  expect(
    rulesBroken(
      (second) => 100 + second * 4,
      () => 10,
    ),
  ).toEqual(['memory stays']);
  expect(
    rulesBroken(
      () => 100,
      (second) => 10 + second ** 2 / 10,
    ),
  ).toEqual(['latency stays']);
});

test('memory of which too little was told is not steady', () => {
  const violations = createViolations();
  const memory = Array.from({ length: 60 }, (_, second) => ({ second, megabytes: [100] }));
  checkSteady([], { memory, names: ['gateway'], wanted: 90 }, violations);
  checkSteady([], { memory, names: [], wanted: 60 }, violations);
  expect(violations.list()).toMatchObject([{ rule: 'memory is seen', count: 2 }]);
});
