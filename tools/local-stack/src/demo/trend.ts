import { drawIntervals } from '@bv/sdk/interval-chart';
import {
  compareScores,
  describePrecision,
  getPrecision,
  listScores,
  type Precision,
  type Score,
  type ScoreComparison,
} from '@bv/contract';
import type { ApiClient } from './api-client.ts';
import { addDays, getToday } from './day.ts';

type Trend = { windows: Score[]; days: Score[]; comparison: ScoreComparison; precision: Precision };

const shownDays = 28;
const comparedDays = 7;

/** Of the last seven days and the seven before, which are the defaults. */
export const comparedQuery = { metric: 'mention_rate' as const };

/** Reads the mention rate of the last four weeks, and compares the last two. */
export async function readTrend(
  customer: ApiClient,
  params: { orgId: string; brandId: string },
): Promise<Trend> {
  const today = getToday();
  const query = { from: addDays(today, 1 - shownDays), to: today };
  const windows = await customer.list(listScores, { params, query: { ...query, window: '7d' } });
  const days = await customer.list(listScores, { params, query });
  const comparison = await customer.item(compareScores, { params, query: comparedQuery });
  const precision = await customer.item(getPrecision, { params, query: {} });
  return { windows: windows.toReversed(), days, comparison, precision };
}

/** A chart of the windows, how far single days were apart, the verdict and the precision, for a terminal of this width. */
export function describeTrend({ windows, days, comparison, precision }: Trend, columns: number): string {
  const intervals = windows.flatMap(
    ({ run_date: day, mention_rate: value, mention_rate_low: low, mention_rate_high: high }) =>
      value === null || low === null || high === null ? [] : { day, value, low, high },
  );
  const rates = days.flatMap(({ mention_rate: rate }) => rate ?? []);
  const chart = [
    'Mention rate of the 7 days up to each day, with its 95 % interval',
    drawIntervals(intervals, columns),
    `Single days were between ${Math.min(...rates).toFixed(1)} and ${Math.max(...rates).toFixed(1)} %.`,
    '',
  ];
  return [
    ...(intervals.length > 1 ? chart : []),
    describeComparison(comparison),
    describePrecision(precision),
  ].join('\n');
}

const verdicts = {
  up: 'up',
  down: 'down',
  no_evidence: 'no evidence of a change',
  not_comparable: 'not comparable',
};

function describeComparison({ a, b, difference, verdict, reasons }: ScoreComparison): string {
  const percent = (value: number | null): string => (value === null ? 'no data' : `${value.toFixed(1)} %`);
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
  const points =
    difference === null
      ? 'unknown'
      : `${signed(difference.value)} points (95 %: ${signed(difference.low)} to ${signed(difference.high)})`;
  const because = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  return [
    `Last ${comparedDays} days: ${percent(b.value)}, the ${comparedDays} days before: ${percent(a.value)}.`,
    `Difference ${points}: ${verdicts[verdict]}${because}.`,
  ].join('\n');
}
