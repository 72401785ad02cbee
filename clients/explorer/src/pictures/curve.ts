import * as Plot from '@observablehq/plot';
import { showDay } from '../data/day.ts';
import type { Estimate } from '../data/measured.ts';
import { type Palette, textStyle } from './palette.ts';

type Point = { day: string } & Estimate;
/** Something that may explain a step of the curve. Its number stands in the list below the picture. */
type Mark = { day: string; number: number };
export type Curve = {
  points: readonly Point[];
  /** A second figure without bounds. */
  line?: { label: string; points: readonly { day: string; value: number | null }[] };
  label: string;
  marks?: readonly Mark[];
};

const toDate = ({ day }: { day: string }): Date => new Date(day);

/** A curve with its band over the days, from 0. */
export function drawCurve(curve: Curve, width: number, palette: Palette): SVGElement {
  const { points, line, marks = [] } = curve;
  const isNarrow = width < 500;
  const days = new Set(points.map(({ day }) => day)).size;
  return Plot.plot({
    width,
    height: isNarrow ? 220 : 280,
    marginLeft: 40,
    marginRight: 16,
    marginTop: marks.length === 0 ? 14 : 26,
    marginBottom: 36,
    style: textStyle(palette),
    x: { type: 'utc', label: null, ticks: Math.min(days, isNarrow ? 4 : 8), tickSize: 0 },
    y: {
      domain: [0, findTop(curve)],
      label: null,
      ticks: 5,
      tickFormat: (value: number) => `${value} %`,
      tickSize: 0,
    },
    marks: [
      Plot.gridY({ stroke: palette.line, strokeOpacity: 1, ticks: 5 }),
      Plot.areaY(points, { x: toDate, y1: 'low', y2: 'high', fill: palette.own, fillOpacity: 0.16 }),
      ...causeMarks(marks, palette),
      Plot.lineY(line?.points ?? [], {
        x: toDate,
        y: 'value',
        stroke: palette.other,
        strokeWidth: 1.75,
        strokeDasharray: '5 4',
      }),
      Plot.lineY(points, { x: toDate, y: 'value', stroke: palette.own, strokeWidth: 2.25 }),
      // The newest point, and points without a neighbour to draw a line to.
      Plot.dot(days < 3 ? points : points.slice(-1), { x: toDate, y: 'value', fill: palette.own, r: 4 }),
      tip(curve, palette),
    ],
  }) as SVGElement;
}

/** The next multiple of ten above everything that is drawn. */
function findTop({ points, line }: Curve): number {
  const values = [
    ...points.flatMap(({ value, high }) => [value, high]),
    ...(line?.points ?? []).map(({ value }) => value),
  ];
  return Math.min(100, Math.max(10, Math.ceil(Math.max(...values.map((value) => value ?? 0)) / 10) * 10));
}

const causeMarks = (marks: readonly Mark[], palette: Palette): Plot.Markish[] => [
  Plot.ruleX(marks, { x: toDate, stroke: palette.muted, strokeDasharray: '3 3' }),
  Plot.text(marks, {
    x: toDate,
    frameAnchor: 'top',
    dy: -16,
    text: ({ number }: Mark) => String(number),
    fill: palette.muted,
    fontWeight: 600,
  }),
];

/** The numbers of the day under the pointer. */
function tip({ points, line, label }: Curve, palette: Palette): Plot.Markish {
  const others = new Map(line?.points.map(({ day, value }) => [day, value]));
  return Plot.tip(
    points,
    Plot.pointerX({
      x: toDate,
      y: 'value',
      title: ({ day, value, low, high }: Point) =>
        [
          showDay(day),
          `${label}: ${value ?? 'no data'} %`,
          ...(low === null ? [] : [`95 %: ${low} to ${high}`]),
          ...(line === undefined ? [] : [`${line.label}: ${others.get(day) ?? 'no data'}`]),
        ].join('\n'),
      lineHeight: 1.3,
      fill: palette.paper,
      stroke: palette.line,
    }),
  );
}
