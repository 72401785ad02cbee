import type { PlatformId, Precision } from '@bv/contract';
import type { Precision as Measured } from '@bv/statistics';
import { round2, rounded } from './formulas.ts';

export type ObservedPrecision = {
  precision: Measured;
  /** That of each cell. */
  platforms: readonly PlatformId[];
  hasPartialRuns: boolean;
  hasChangedModels: boolean;
};

/** The public form. A cost is null unless all platforms of the answers have a price. */
export function toPrecision(
  request: Pick<Precision, 'metric' | 'from' | 'to'>,
  { precision, platforms, hasPartialRuns, hasChangedModels }: ObservedPrecision,
  prices: Partial<Record<PlatformId, number>>,
): Precision {
  const { prompts, cells, units, variance, level, smallestDetectable } = precision;
  const price = meanPrice(platforms, prices);
  const share = (of: { share: number | null; low: number | null; high: number | null }) => ({
    share: rounded(of.share),
    low: rounded(of.low),
    high: rounded(of.high),
  });
  return {
    ...request,
    prompts,
    cells,
    units,
    variance: {
      prompt: share(variance.prompt),
      stratum: share(variance.stratum),
      prompt_by_stratum: share(variance.promptByStratum),
      repeat: share(variance.repeat),
      total: rounded(variance.total),
    },
    level: {
      value: rounded(level.value),
      low: rounded(level.low),
      high: rounded(level.high),
      half_width: rounded(level.halfWidth),
    },
    change: {
      smallest_detectable_7d: rounded(smallestDetectable[7]),
      smallest_detectable_28d: rounded(smallestDetectable[28]),
      power: 0.8,
      confidence: 0.95,
    },
    limited_by: precision.limitedBy,
    grade: precision.grade,
    grade_reasons: [
      ...precision.gradeReasons,
      ...(hasPartialRuns ? (['partial_runs'] as const) : []),
      ...(hasChangedModels ? (['model_changed'] as const) : []),
      ...(precision.lacksHistory ? (['no_history'] as const) : []),
    ],
    options: precision.options.map((option) => ({
      prompts: option.prompts,
      repeats_per_day: option.repeatsPerDay,
      units_per_day: option.unitsPerDay,
      half_width: round2(option.halfWidth),
      smallest_detectable_28d: round2(option.smallestDetectable28d),
      cost_usd_per_day: price === null ? null : round2(option.unitsPerDay * price),
    })),
    recommended: precision.recommended,
  };
}

function meanPrice(
  platforms: readonly PlatformId[],
  prices: Partial<Record<PlatformId, number>>,
): number | null {
  const known = platforms.flatMap((platform) => prices[platform] ?? []);
  if (known.length === 0 || known.length < platforms.length) return null;
  return known.reduce((sum, price) => sum + price, 0) / known.length;
}
