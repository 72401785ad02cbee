import { compiled, stdtri } from 'cephes';
import { mean } from './cells.ts';

await compiled;

const confidence = 0.95;

/** An estimated difference with the bounds of its interval. */
export type Difference = { value: number; low: number; high: number; confidence: typeof confidence };

/**
 * The paired t interval of the mean difference: mean +/- t(n - 1) s / sqrt(n); null below two differences. Equal
 * differences give an interval of width 0.
 * Student (1908), "The probable error of a mean", Biometrika 6, 1-25.
 */
export function pairedInterval(differences: readonly number[]): Difference | null {
  const count = differences.length;
  const value = mean(differences);
  if (value === null || count < 2) return null;
  // Two passes: the difference of two large sums of squares would lose digits.
  const squares = differences.reduce((sum, difference) => sum + (difference - value) ** 2, 0);
  const standardError = Math.sqrt(squares / (count - 1) / count);
  const margin = stdtri(count - 1, (1 + confidence) / 2) * standardError;
  return { value, low: value - margin, high: value + margin, confidence };
}
