import { compiled, incbet, incbi } from 'cephes';
import { mean } from './cells.ts';

await compiled;

/** An estimated difference with the bounds of its interval. */
export type Difference = { value: number; low: number; high: number; confidence: number };

/** `pValue` is two-sided, of a difference of 0. */
export type DifferenceTest = { difference: Difference; pValue: number };

const minJackknifeClusters = 5;

/**
 * The half width, in standard errors, of a t interval. `degrees` may be a fraction.
 * Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.7.1 with 26.5.27.
 */
export function tQuantile(degrees: number, confidence: number): number {
  const beta = incbi(1 / 2, degrees / 2, confidence);
  return Math.sqrt((degrees * beta) / (1 - beta));
}

/**
 * The paired t interval of the mean difference, mean +/- t(n - 1) s / sqrt(n), and the p-value of its test; null below
 * two differences. Equal differences give an interval of width 0 and a p-value of 0, or 1 if all are 0.
 * Student (1908), "The probable error of a mean", Biometrika 6, 1-25.
 */
export function pairedTest(differences: readonly number[], confidence: number): DifferenceTest | null {
  const count = differences.length;
  const value = mean(differences);
  if (value === null || count < 2) return null;
  return testDifference(value, squares(differences) / (count - 1) / count, count - 1, confidence);
}

/**
 * The t interval of any estimate from k independent clusters, with k - 1 degrees of freedom. `omitted` has the estimate
 * without each of the clusters. Null with fewer than five clusters, and where an estimate is missing.
 * Tukey (1958), "Bias and confidence in not-quite large samples", Annals of Mathematical Statistics 29, 614.
 */
export function jackknifeTest(
  value: number | null,
  omitted: readonly (number | null)[],
  confidence: number,
): DifferenceTest | null {
  const count = omitted.length;
  const known = omitted.filter((estimate) => estimate !== null);
  if (value === null || count < minJackknifeClusters || known.length < count) return null;
  return testDifference(value, (squares(known) * (count - 1)) / count, count - 1, confidence);
}

/** The p-value is by the same formulas. */
function testDifference(
  value: number,
  variance: number,
  degrees: number,
  confidence: number,
): DifferenceTest {
  const margin = tQuantile(degrees, confidence) * Math.sqrt(variance);
  const scaled = degrees * variance;
  return {
    difference: { value, low: value - margin, high: value + margin, confidence },
    pValue: value === 0 ? 1 : incbet(degrees / 2, 1 / 2, scaled / (scaled + value * value)),
  };
}

/** Sum of the squared deviations from the mean. In two passes: the difference of two large sums would lose digits. */
export function squares(values: readonly number[]): number {
  const centre = mean(values) ?? 0;
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
