import { describe, expect, test } from '@jest/globals';
import { countFreeSlots } from './worker.ts';

describe('countFreeSlots', () => {
  test('a unit with an answer leaves its slot to another', () => {
    expect(countFreeSlots(4, { leased: 4, calling: 4 })).toBe(0);
    expect(countFreeSlots(4, { leased: 4, calling: 1 })).toBe(3);
  });
  test('at most as many answers as slots wait for the database', () => {
    expect(countFreeSlots(4, { leased: 7, calling: 0 })).toBe(1);
    expect(countFreeSlots(4, { leased: 8, calling: 0 })).toBe(0);
  });
});
