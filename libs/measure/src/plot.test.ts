import { describe, expect, test } from '@jest/globals';
import { barChart, lineChart } from './plot.ts';

describe('plots', () => {
  test('bars are as long as their values stand to one another', () => {
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
});
