import { expect, test } from '@jest/globals';
import { checkDay } from './check-day.ts';
import { dayMix } from './day-mix.ts';
import type { ResponseRecord, RunData } from './record.ts';
import { createViolations } from './violations.ts';

const wholeDay = Object.entries(dayMix).flatMap(([phase, share]) =>
  Array.from({ length: share * 5 }, () => ({ phase }) as ResponseRecord),
);
const data = {} as RunData;

test('a complete mix passes', () => {
  const violations = createViolations();
  expect(wholeDay).toHaveLength(500);
  expect(checkDay(wholeDay, data, violations)).toEqual({ facts: ['500 requests'] });
  expect(violations.list()).toEqual([]);
});

test('a mix without one kind of call, or with too few, is reported', () => {
  const violations = createViolations();
  const updates = wholeDay.filter(({ phase }) => phase === 'prompt update');
  const without = wholeDay.filter(({ phase }) => phase !== 'prompt update');
  checkDay(without, data, violations);
  checkDay([...without, ...updates.slice(0, 20)], data, violations);
  expect(violations.list()).toMatchObject([
    {
      rule: 'the mix is complete',
      examples: ['prompt update: 0 of 475 requests', 'prompt update: 20 of 495 requests'],
    },
  ]);
});
