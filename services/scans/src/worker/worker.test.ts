import { describe, expect, test } from '@jest/globals';
import { countFreeSlots } from './worker.ts';

describe('countFreeSlots', () => {
  test('a unit whose attempt has ended leaves its slot to another', () => {
    expect(countFreeSlots(4, { leased: 4, attempting: 4 })).toBe(0);
    expect(countFreeSlots(4, { leased: 4, attempting: 1 })).toBe(3);
  });
  test('at most as many units more as slots are leased, and at most 40', () => {
    expect(countFreeSlots(4, { leased: 7, attempting: 0 })).toBe(1);
    expect(countFreeSlots(400, { leased: 439, attempting: 380 })).toBe(1);
    expect(countFreeSlots(400, { leased: 440, attempting: 380 })).toBe(0);
  });
});
