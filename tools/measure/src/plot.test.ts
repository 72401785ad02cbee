import { describe, expect, test } from '@jest/globals';
import { barChart, growthChart, lineChart } from './plot.ts';

describe('plots', () => {
  test('the length of a bar is proportional to its value', () => {
    const svg = barChart('Rates', [
      { name: 'a & b', value: 100, text: '1.00' },
      { name: 'half', value: 50, text: '0.50' },
    ]);
    const [, full, half] = [...svg.matchAll(/ width="([\d.]+)" height/g)].map((match) => Number(match[1]));
    expect([full, half]).toEqual([360, 180]);
    expect(svg).toContain('a &amp; b');
  });

  test('a line ends at the edges of the area', () => {
    const axes = { title: 'Remaining', xLabel: 's', yLabel: 'left' };
    const svg = lineChart(axes, [
      {
        name: 'key',
        points: [
          { x: 0, y: 0 },
          { x: 60, y: 120 },
        ],
      },
    ]);
    expect(svg).toContain('M64 272L696 64');
  });

  test('a cost that doubles over two decades ends twice as high', () => {
    const points = [
      { size: 1_000, cost: 30 },
      { size: 10_000, cost: 30 },
      { size: 100_000, cost: 60 },
    ];
    expect(growthChart('Pages', 'units', [{ name: 'page', points }])).toContain('M64 168L380 168L696 64');
  });
});
