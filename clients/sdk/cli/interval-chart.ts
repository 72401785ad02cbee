import { plot } from 'simple-ascii-chart';

/** A percentage of a day, with the bounds of its interval. */
export type Interval = { day: string; value: number; low: number; high: number };

const height = 14;
const daysPerLabel = 7;
const stepOfLabels = 10;
/** Columns of the labels and the axis, and a margin for the prefix of reported lines. */
const columnsBeside = 18;

/** Draws the intervals as vertical bars over the days, in plain text of at most `columns` columns. */
export function drawIntervals(intervals: readonly Interval[], columns: number): string {
  const bottom = Math.floor(Math.min(...intervals.map(({ low }) => low)) / stepOfLabels) * stepOfLabels;
  const highest = Math.max(bottom + 1, ...intervals.map(({ high }) => high));
  const top = Math.ceil(highest / stepOfLabels) * stepOfLabels;
  const rowsPerPoint = (height - 1) / (top - bottom);
  const last = intervals.length - 1;
  const chart = plot(
    intervals.map(({ value }, index): [number, number] => [index, value]),
    {
      width: Math.max(intervals.length, Math.min(2 * intervals.length, columns - columnsBeside)),
      height,
      yRange: [bottom, top],
      customXAxisTicks: intervals.map((_, index) => index).filter((x) => (last - x) % daysPerLabel === 0),
      customYAxisTicks: Array.from(
        { length: (top - bottom) / stepOfLabels + 1 },
        (_, index) => bottom + index * stepOfLabels,
      ),
      formatter: (value, { axis }) => (axis === 'x' ? (intervals[value]?.day.slice(5) ?? '') : `${value} %`),
      lineFormatter: ({ index, plotX, plotY }) => {
        const { value, low, high } = intervals[index]!;
        const toRow = (bound: number): number => plotY + Math.round((value - bound) * rowsPerPoint);
        const rows = Array.from({ length: toRow(low) - toRow(high) + 1 }, (_, row) => toRow(high) + row);
        return rows.map((y) => ({ x: plotX, y, symbol: y === plotY ? '●' : '│' }));
      },
    },
  );
  return chart
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
