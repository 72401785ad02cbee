import type { Verdict } from '@bv/contract';
import { equalDifferencesPValue } from './change-confidence.ts';
import { type Comparison, roundingError } from './compare-cells.ts';

/**
 * The q-value of each p-value, in the same order: the lowest false discovery rate at which its test is significant. The
 * rate holds for independent tests, and for positively dependent ones.
 * Benjamini, Y. and Hochberg, Y. (1995), "Controlling the false discovery rate", Journal of the Royal Statistical
 * Society B 57, 289-300.
 */
export function toQValues(pValues: readonly number[]): number[] {
  const descending = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => b.p - a.p);
  const qValues = Array.from(pValues, () => 1);
  let lowest = 1;
  for (const [place, { p, index }] of descending.entries()) {
    lowest = Math.min(lowest, p * (pValues.length / (pValues.length - place)));
    qValues[index] = lowest;
  }
  return qValues;
}

/** A comparison among many. Both values are null where it is not comparable. */
type TestedComparison = { pValue: number | null; qValue: number | null; verdict: Verdict };

/** Decides many comparisons at once, in their order, so that of all changes a share of at most `fdr` is false. */
export function decideChanges(comparisons: readonly Comparison[], fdr: number): TestedComparison[] {
  const pValues = comparisons.map(findPValue);
  const qValues = toQValues(pValues.filter((pValue) => pValue !== null)).values();
  return comparisons.map(({ difference }, index) => {
    const pValue = pValues[index] ?? null;
    const qValue = pValue === null ? null : (qValues.next().value ?? null);
    if (difference === null || qValue === null) return { pValue, qValue, verdict: 'not_comparable' };
    if (qValue > fdr) return { pValue, qValue, verdict: 'no_evidence' };
    return { pValue, qValue, verdict: difference.value > 0 ? 'up' : 'down' };
  });
}

/** Equal differences of all prompts have no t value. A rounding error is no difference. */
function findPValue({ verdict, difference, pValue, a }: Comparison): number | null {
  if (verdict === 'not_comparable' || difference === null) return null;
  if (Math.abs(difference.value) <= roundingError) return 1;
  return difference.high - difference.low <= roundingError ? equalDifferencesPValue(a.prompts) : pValue;
}
