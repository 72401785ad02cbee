import { ratio } from './cells.ts';
import { type Cluster, effectiveSampleSize } from './clusters.ts';
import { jackknifeTest } from './paired-test.ts';
import { type Interval, wilsonInterval } from './wilson-interval.ts';

const confidence = 0.95;

/** A prompt is a cluster. */
export const toClusters = (units: readonly number[], successes: readonly number[]): Cluster[] =>
  units.map((n, index) => ({ n, successes: successes[index] ?? 0 }));

/**
 * Bounds of a rate in percent, with a prompt as a cluster: `units` and `successes` have an entry for each prompt. Null
 * without a rate. README.md names the sources.
 */
export function rateBounds(
  rate: number | null,
  units: readonly number[],
  successes: readonly number[],
): Interval | null {
  const effective = effectiveSampleSize(toClusters(units, successes));
  const interval = rate === null ? null : wilsonInterval(rate / 100, effective);
  return interval && { low: 100 * interval.low, high: 100 * interval.high };
}

/** Bounds of a share in percent, from mentions of the own brand and of all brands by prompt. As `ratioBounds`. */
export function shareBounds(own: readonly number[], all: readonly number[]): Interval | null {
  const bounds = ratioBounds(own, all);
  return bounds && { low: Math.max(0, 100 * bounds.low), high: Math.min(100, 100 * bounds.high) };
}

/** Bounds of a mean over cells, from the sums of positions by prompt and the numbers of cells. As `ratioBounds`. */
export function positionBounds(sums: readonly number[], cells: readonly number[]): Interval | null {
  const bounds = ratioBounds(sums, cells);
  return bounds && { low: Math.max(1, bounds.low), high: bounds.high };
}

/**
 * Bounds of a ratio of two sums over prompts, by the delete-one-prompt jackknife with t(k - 1). Null with fewer than five
 * prompts, and where a denominator is 0, also without one of the prompts.
 */
function ratioBounds(parts: readonly number[], totals: readonly number[]): Interval | null {
  const [part, total] = [sum(parts), sum(totals)];
  const omitted = parts.map((each, index) => ratio(part - each, total - (totals[index] ?? 0)));
  return jackknifeTest(ratio(part, total), omitted, confidence)?.difference ?? null;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
