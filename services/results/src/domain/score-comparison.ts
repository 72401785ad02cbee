import type { DateWindow, ScoreComparison } from '@bv/contract';
import { type Comparison, roundingError } from '@bv/statistics';
import { round2 } from './formulas.ts';

type Interval = { value: number; low: number; high: number };

/** Rounds to two decimals, but not to 0 unless the value is 0: the sign of a bound must agree with the verdict. */
function roundPoints(value: number): number {
  const rounded = round2(value);
  return rounded === 0 && Math.abs(value) > roundingError ? Math.sign(value) / 100 : rounded;
}

/** The value lies between its bounds after rounding too. */
export function roundInterval({ value, low, high }: Interval): Interval {
  const bounds = { low: roundPoints(low), high: roundPoints(high) };
  return { value: Math.min(bounds.high, Math.max(bounds.low, round2(value))), ...bounds };
}

/** The public form of a comparison. */
export function toScoreComparison(
  series: Pick<ScoreComparison, 'metric' | 'country' | 'platform'>,
  windows: { a: DateWindow; b: DateWindow },
  { a, b, difference, verdict, reasons }: Comparison,
): ScoreComparison {
  const toFigures = (
    { from, to }: DateWindow,
    { value, units, unitsFailed, prompts }: Comparison['a'],
  ): ScoreComparison['a'] => ({
    from,
    to,
    value: value === null ? null : round2(value),
    units,
    units_failed: unitsFailed,
    prompts,
  });
  return {
    ...series,
    a: toFigures(windows.a, a),
    b: toFigures(windows.b, b),
    difference: difference && {
      ...difference,
      ...roundInterval(difference),
    },
    verdict,
    reasons,
  };
}
