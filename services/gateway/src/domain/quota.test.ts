import { expect, test } from '@jest/globals';
import { leaseBlockSize, monthText, nextMonthMs, secondsUntil } from './quota.ts';

test('a block is a hundredth of the quota, between 10 and 1000', () => {
  expect([0, 1, 999, 5_000, 100_000, 1_000_000_000].map(leaseBlockSize)).toEqual([
    10, 10, 10, 50, 1_000, 1_000,
  ]);
});

test('the month ends at the first of the next, UTC', () => {
  expect(nextMonthMs(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe(Date.UTC(2027, 0, 1));
  expect(nextMonthMs(Date.UTC(2028, 1, 1))).toBe(Date.UTC(2028, 2, 1));
  expect(monthText(202_601)).toBe('2026-01');
});

test('seconds are rounded up and at least 1', () => {
  expect(secondsUntil(10_000, 8_999)).toBe(2);
  expect(secondsUntil(10_000, 9_000)).toBe(1);
  expect(secondsUntil(10_000, 10_500)).toBe(1);
});
