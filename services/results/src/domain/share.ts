import { percent, ratio } from './score.ts';

/** Sums of one tracked brand in a cell. */
export type BrandSums = {
  brandId: string;
  unitsAnswered: number;
  mentions: number;
  positionSum: number;
};

export type BrandShare<T extends BrandSums> = T & {
  totalMentions: number;
  shareOfVoice: number | null;
  mentionRate: number | null;
  averagePosition: number | null;
  rank: number;
};

/**
 * Share of voice in one cell: the units that mention the brand, divided by the sum of these units over all tracked
 * brands. Null if that sum is 0. Rank 1 is the largest share; brands with equal mentions share a rank.
 */
export function computeShares<T extends BrandSums>(brands: readonly T[]): BrandShare<T>[] {
  const totalMentions = brands.reduce((sum, brand) => sum + brand.mentions, 0);
  return brands.map((brand) => ({
    ...brand,
    totalMentions,
    shareOfVoice: percent(brand.mentions, totalMentions),
    mentionRate: percent(brand.mentions, brand.unitsAnswered),
    averagePosition: ratio(brand.positionSum, brand.mentions),
    rank: 1 + brands.filter((other) => other.mentions > brand.mentions).length,
  }));
}
