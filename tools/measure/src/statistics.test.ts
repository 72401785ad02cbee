import { describe, expect, test } from '@jest/globals';
import { growthText, median, quantile, slopePerDecade } from './statistics.ts';

describe('figures of a measurement', () => {
  test('median and quantiles do not depend on the order', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(hundred, 0.99)).toBe(99);
    expect(quantile(hundred, 0.5)).toBe(50);
    expect(quantile([7], 0.99)).toBe(7);
  });

  test('the slope is 1 for a constant cost and 10 for a linear one', () => {
    const sizes = [1, 10, 100];
    expect(slopePerDecade(sizes.map((size) => ({ size, cost: 4 })))).toBeCloseTo(1);
    expect(slopePerDecade(sizes.map((size) => ({ size, cost: 3 * size })))).toBeCloseTo(10);
  });

  test('growth is relative to the cost of the first size', () => {
    const points = [1, 10, 100].map((size) => ({ size, cost: 3 * size }));
    expect(growthText(points)).toBe('1: 1.00, 10: 10.00, 100: 100.00; 10.00 a decade');
  });
});
