import * as Plot from '@observablehq/plot';
import { showNumber } from '../words/labels.ts';
import { type Palette, textStyle } from './palette.ts';

type Arm = { before: number | null; after: number | null };
type Point = { arm: string; tone: 'own' | 'other'; moment: string; value: number; isAbove: boolean };

/** Two arms before and after a change. */
export type Slope = {
  treated: Arm;
  control: Arm;
  effect: { value: number; low: number; high: number };
  unit: string;
};

const moments = ['before', 'after'] as const;

/** Both arms, and where the treated one would be had it moved like the other. */
export function drawSlope(slope: Slope, width: number, palette: Palette): SVGElement {
  const { treated, control, effect, unit } = slope;
  const points = moments.flatMap((moment): Point[] => {
    const [a, b] = [treated[moment] ?? 0, control[moment] ?? 0];
    return [
      { arm: 'Control', tone: 'other', moment, value: b, isAbove: b > a },
      { arm: 'Treated', tone: 'own', moment, value: a, isAbove: b <= a },
    ];
  });
  const expected = (treated.after ?? 0) - effect.value;
  const interval = { moment: 'after', low: expected + effect.low, high: expected + effect.high };
  const place = { x: 'moment', y: 'value', stroke: ({ tone }: Point) => palette[tone] } as const;
  const label = (moment: string, dx: number, isAbove: boolean) =>
    Plot.text(
      points.filter((each) => each.moment === moment && each.isAbove === isAbove),
      {
        x: 'moment',
        y: 'value',
        text: ({ arm, value }: Point) => `${moment === 'after' ? `${arm} ` : ''}${showNumber(value)}${unit}`,
        textAnchor: dx < 0 ? 'end' : 'start',
        dx,
        dy: isAbove ? -8 : 8,
        fontWeight: 600,
      },
    );
  return Plot.plot({
    width,
    height: 280,
    marginLeft: 44,
    style: textStyle(palette),
    // With a place for the labels.
    x: { domain: moments, label: null, tickSize: 0, padding: 0, insetLeft: 62, insetRight: 112 },
    y: { nice: true, inset: 14, label: null, ticks: 5, tickSize: 0, tickFormat: (at) => `${at}${unit}` },
    marks: [
      Plot.gridY({ stroke: palette.line, strokeOpacity: 1, ticks: 5 }),
      Plot.ruleX([interval], {
        x: 'moment',
        y1: 'low',
        y2: 'high',
        stroke: palette.own,
        strokeWidth: 9,
        strokeOpacity: 0.28,
        strokeLinecap: 'round',
      }),
      Plot.line(moments, {
        y: [treated.before, expected],
        stroke: palette.own,
        strokeDasharray: '5 4',
        x: (moment: string) => moment,
      }),
      Plot.line(points, { ...place, z: 'arm', strokeWidth: 2.25 }),
      Plot.dot(points, { ...place, fill: place.stroke, r: 4 }),
      ...[true, false].flatMap((isAbove) => [label('before', -11, isAbove), label('after', 11, isAbove)]),
    ],
  }) as SVGElement;
}
