export type Interval = { low: number; high: number };

/** The 97.5 % quantile of the standard normal distribution, for intervals of 95 %. */
export const z95 = 1.959963984540054;

/**
 * The score interval of a proportion, as proportions; null without trials. `trials` may be a fraction, so that an
 * effective sample size fits.
 * Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference", JASA 22, 209-212.
 */
export function wilsonInterval(proportion: number, trials: number, z = z95): Interval | null {
  if (trials === 0) return null;
  const denominator = 1 + (z * z) / trials;
  const centre = proportion + (z * z) / (2 * trials);
  const margin = z * Math.sqrt((proportion * (1 - proportion)) / trials + (z * z) / (4 * trials * trials));
  // Rounding errors must not move a bound past the proportion, nor past 0 or 1.
  return {
    low: Math.min(proportion, Math.max(0, (centre - margin) / denominator)),
    high: Math.max(proportion, Math.min(1, (centre + margin) / denominator)),
  };
}
