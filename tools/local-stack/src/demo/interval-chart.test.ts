import { describe, expect, it } from '@jest/globals';
import { drawIntervals, type Interval } from './interval-chart.ts';

const days = (count: number, interval: Omit<Interval, 'day'>): Interval[] =>
  Array.from({ length: count }, (_, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, '0')}`,
    ...interval,
  }));

const widest = (chart: string): number => Math.max(...chart.split('\n').map((line) => line.length));

describe('a chart of intervals', () => {
  it('draws each day as a bar from the lower to the upper bound, with the value in it', () => {
    const chart = drawIntervals([...days(2, { value: 50, low: 40, high: 70 })], 80);
    const [, ...rows] = chart.split('\n');
    const second = rows.slice(0, 14).map((row) => row.at(-1) ?? '');
    expect(rows[0]).toContain('70 %┤│');
    expect(rows[13]).toContain('40 %┤│');
    expect(second.join('')).toMatch(/^│{8,10}●│{3,5}$/);
  });

  it.each([80, 60, 46])('fits into %i columns with the prefix of a reported line', (columns) => {
    expect(
      10 + widest(drawIntervals(days(28, { value: 50, low: 40, high: 60 }), columns)),
    ).toBeLessThanOrEqual(columns);
  });

  it('is at most twice as wide as it has days, and contains no control sequences', () => {
    const chart = drawIntervals(days(28, { value: 50, low: 40, high: 60 }), 300);
    expect(widest(chart)).toBeLessThan(70);
    // oxlint-disable-next-line no-control-regex -- terminals other than this one would show them
    expect(chart).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('labels the last day and each seventh before it', () => {
    const labels =
      drawIntervals(days(28, { value: 50, low: 40, high: 60 }), 80)
        .split('\n')
        .at(-1) ?? '';
    expect(labels.trim().split(/\s+/)).toEqual(['11-07', '11-14', '11-21', '11-28']);
  });

  it('draws rates of 0 and of 100', () => {
    expect(drawIntervals(days(3, { value: 0, low: 0, high: 0 }), 80)).toContain('●');
    expect(drawIntervals(days(3, { value: 100, low: 100, high: 100 }), 80)).toContain('●');
    expect(drawIntervals(days(3, { value: 100, low: 0, high: 100 }), 80)).toMatch(/100 %┤●/);
  });
});
