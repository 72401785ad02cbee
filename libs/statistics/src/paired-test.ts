import { compiled, incbet, stdtri } from 'cephes';
import { mean } from './cells.ts';

await compiled;

const confidence = 0.95;

/** The half width, in standard errors, of a t interval. */
export const tQuantile = (degrees: number, level: number): number => stdtri(degrees, (1 + level) / 2);

/** An estimated difference with the bounds of its interval. */
export type Difference = { value: number; low: number; high: number; confidence: typeof confidence };

/** `pValue` is two-sided, of a mean difference of 0. */
type PairedTest = { difference: Difference; pValue: number };

/**
 * The paired t interval of the mean difference, mean +/- t(n - 1) s / sqrt(n), and the p-value of its test; null below
 * two differences. Equal differences give an interval of width 0 and a p-value of 0, or 1 if all are 0.
 * Student (1908), "The probable error of a mean", Biometrika 6, 1-25. The p-value is Abramowitz and Stegun (1964),
 * Handbook of Mathematical Functions, 26.7.1 with 26.5.27.
 */
export function pairedTest(differences: readonly number[]): PairedTest | null {
  const count = differences.length;
  const value = mean(differences);
  if (value === null || count < 2) return null;
  const degrees = count - 1;
  // Two passes: the difference of two large sums of squares would lose digits.
  const squares = differences.reduce((sum, difference) => sum + (difference - value) ** 2, 0);
  const variance = squares / degrees / count;
  const margin = tQuantile(degrees, confidence) * Math.sqrt(variance);
  const scaled = degrees * variance;
  return {
    difference: { value, low: value - margin, high: value + margin, confidence },
    pValue: value === 0 ? 1 : incbet(degrees / 2, 1 / 2, scaled / (scaled + value * value)),
  };
}
