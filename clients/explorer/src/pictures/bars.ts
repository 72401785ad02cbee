import * as Plot from '@observablehq/plot';
import { textStyle, type Palette } from './palette.ts';

/** A row of a picture: a label, and below it a value from `bottom` to `top`. */
export type Bar = {
  label: string;
  value: number | null;
  low?: number | null;
  high?: number | null;
  /** What stands at the right end, such as the number of answers. */
  note: string;
  /** The strongest competitor of the row. */
  competitor?: { name: string; value: number } | undefined;
  tone: 'own' | 'competitor' | 'other';
  href?: string | undefined;
};

export type Bars = {
  bars: readonly Bar[];
  form: 'bar' | 'interval';
  bottom?: number;
  top: number;
  unit?: string;
};
type Row = Bar & { index: number };

const rowHeight = 46;
/** Of a character of a note, in pixels. */
const characterWidth = 6.6;
/** From the middle of a row: its label is above, its value below. */
const [labelDy, valueDy] = [-11, 8];

/** Rows of labelled bars, or of points with their intervals. A label has its own line, so that it fits a phone. */
export function drawBars(picture: Bars, width: number, palette: Palette): SVGElement {
  const { bars, form, bottom = 0, top, unit = form === 'bar' ? '' : ' %' } = picture;
  const rows = bars.map((bar, index): Row => ({ ...bar, label: bar.label.replaceAll(/\s+/g, ' '), index }));
  const widthOf = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length)) * characterWidth + 14;
  const notes = widthOf(bars.map(({ note }) => note));
  // Half of the label at 0.
  const left = form === 'bar' ? 2 : 12;
  const right = form === 'bar' ? notes + widthOf(bars.map(({ value }) => `${value}${unit}`)) : notes;
  return Plot.plot({
    width,
    height: bars.length * rowHeight + (form === 'bar' ? 4 : 26),
    marginLeft: left,
    marginRight: right,
    marginTop: 0,
    marginBottom: form === 'bar' ? 4 : 26,
    style: textStyle(palette),
    x: {
      domain: [bottom, top],
      label: null,
      tickSize: 0,
      ticks: 4,
      tickFormat: (value: number) => `${value}${unit}`,
      ...(form === 'bar' ? { axis: null } : {}),
    },
    y: { type: 'band', axis: null, padding: 0, domain: rows.map(({ index }) => index) },
    marks: [
      ...(form === 'bar'
        ? barMarks(rows, unit, palette)
        : intervalMarks(rows, { bottom, top, unit }, palette)),
      ...labelMarks(rows, { width, left, right, bottom }, palette),
    ],
  }) as SVGElement;
}

function barMarks(rows: readonly Row[], unit: string, palette: Palette): Plot.Markish[] {
  return [
    Plot.barX(rows, {
      x: 'value',
      y: 'index',
      fill: ({ tone }: Row) => palette[tone],
      insetTop: 25,
      insetBottom: 9,
      rx: 2,
    }),
    Plot.text(rows, {
      x: 'value',
      y: 'index',
      text: ({ value }: Row) => `${value ?? 'no data'}${unit}`,
      textAnchor: 'start',
      dx: 6,
      dy: valueDy,
      fontWeight: 600,
      fill: palette.ink,
    }),
  ];
}

function intervalMarks(
  rows: readonly Row[],
  { bottom, top, unit }: { bottom: number; top: number; unit: string },
  palette: Palette,
): Plot.Markish[] {
  const measured = rows.filter(({ value }) => value !== null);
  const place = { y: 'index', dy: valueDy } as const;
  const tone = ({ tone: name }: Row) => palette[name];
  return [
    Plot.ruleY(rows, { ...place, x1: bottom, x2: top, stroke: palette.line }),
    Plot.ruleX(bottom < 0 ? [0] : [], { stroke: palette.line }),
    Plot.ruleY(measured, {
      ...place,
      x1: 'low',
      x2: 'high',
      stroke: tone,
      strokeWidth: 7,
      strokeOpacity: 0.28,
      strokeLinecap: 'round',
    }),
    Plot.dot(
      rows.filter(({ competitor }) => competitor !== undefined),
      {
        ...place,
        x: ({ competitor }: Row) => competitor?.value,
        symbol: 'diamond',
        stroke: palette.competitor,
        strokeWidth: 2,
        r: 4.5,
        fill: palette.paper,
        title: ({ competitor }: Row) => `${competitor?.name}: ${competitor?.value} %`,
      },
    ),
    Plot.dot(measured, {
      ...place,
      x: 'value',
      fill: tone,
      r: 5.5,
      title: ({ value, low, high }: Row) => `${value}${unit}, 95 %: ${low} to ${high}`,
    }),
  ];
}

/** Below this width there is no place for the names of competitors. */
const minWidthOfCompetitors = 560;

/** Labels are cut where they do not fit. The table has them whole. */
function labelMarks(
  rows: readonly Row[],
  { width, left, right, bottom }: { width: number; left: number; right: number; bottom: number },
  palette: Palette,
): Plot.Markish[] {
  const competitors =
    width < minWidthOfCompetitors ? [] : rows.filter(({ competitor }) => competitor !== undefined);
  const competitorWidth = competitors.length === 0 ? 0 : 200;
  return [
    Plot.text(competitors, {
      frameAnchor: 'right',
      y: 'index',
      text: ({ competitor }: Row) => `${competitor?.name} ${competitor?.value} %`,
      textAnchor: 'end',
      dx: right,
      dy: labelDy,
      fill: palette.competitor,
      lineWidth: competitorWidth / 12,
      textOverflow: 'ellipsis',
    }),
    Plot.text(rows, {
      x: bottom,
      y: 'index',
      text: 'label',
      href: 'href',
      textAnchor: 'start',
      dx: 2 - left,
      dy: labelDy,
      fontSize: 13,
      fill: ({ href }: Row) => (href === undefined ? palette.ink : palette.own),
      // In em, which are wider than the mean character.
      lineWidth: (width - competitorWidth - 20) / 13,
      textOverflow: 'ellipsis',
    }),
    Plot.text(rows, {
      frameAnchor: 'right',
      y: 'index',
      text: 'note',
      textAnchor: 'end',
      dx: right,
      dy: valueDy,
      fill: palette.muted,
    }),
  ];
}
