import type { Comparison } from './compare-cells.ts';

/** The confidence of a verdict. */
const verdictConfidence = 0.95;

/** With fewer answers than this share of the other window's, the t interval finds changes of rare mentions by chance. */
const minBalance = 0.5;

/**
 * The highest probability that k unchanged prompts all differ by the same amount, not 0: (1/4)^(k - 1), as in README.md.
 */
export const equalDifferencesPValue = (prompts: number): number => (1 / 4) ** (prompts - 1);

/**
 * Whether a comparison shows a change at a level of confidence, at least 0.95. At 0.95 this is the verdict. A higher level
 * needs a p-value below 1 minus the level, and two conditions under which the t interval keeps what it promises:
 *
 * - One window has at most twice as many answers as the other.
 * - There are enough prompts. If all differ by the same amount, which happens by chance, the standard deviation is 0.
 */
export function isChangeAt({ verdict, pValue, a, b }: Comparison, confidence: number): boolean {
  if (pValue === null || (verdict !== 'up' && verdict !== 'down')) return false;
  if (confidence <= verdictConfidence) return true;
  const isBalanced = Math.min(a.units, b.units) >= minBalance * Math.max(a.units, b.units);
  return isBalanced && Math.max(pValue, equalDifferencesPValue(a.prompts)) < 1 - confidence;
}
