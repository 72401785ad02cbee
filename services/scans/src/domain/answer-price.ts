import type { PlatformId } from '@bv/contract';

/** USD per answer, of the platforms that have a price. */
export type AnswerPrices = Partial<Record<PlatformId, number>>;

/** Rounded to a millionth of a dollar; null if one of the platforms with units has no price. */
export function priceUnits(units: Partial<Record<PlatformId, number>>, prices: AnswerPrices): number | null {
  let cost = 0;
  for (const [platform, count] of Object.entries(units) as [PlatformId, number][]) {
    const price = prices[platform];
    if (price === undefined) return null;
    cost += count * price;
  }
  return Math.round(cost * 1e6) / 1e6;
}
