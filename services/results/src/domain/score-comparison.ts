import type { DateWindow, ScoreComparison } from '@bv/contract';
import type { Comparison } from '@bv/statistics';
import { round2 } from './formulas.ts';

/** The public form of a comparison. */
export function toScoreComparison(
  series: Pick<ScoreComparison, 'metric' | 'country' | 'platform'>,
  windows: { a: DateWindow; b: DateWindow },
  { a, b, difference, verdict, reasons }: Comparison,
): ScoreComparison {
  const toFigures = ({ from, to }: DateWindow, figures: Comparison['a']): ScoreComparison['a'] => ({
    from,
    to,
    ...figures,
    value: figures.value === null ? null : round2(figures.value),
  });
  return {
    ...series,
    a: toFigures(windows.a, a),
    b: toFigures(windows.b, b),
    difference: difference && {
      ...difference,
      value: round2(difference.value),
      low: round2(difference.low),
      high: round2(difference.high),
    },
    verdict,
    reasons,
  };
}
