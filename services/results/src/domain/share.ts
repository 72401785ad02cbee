import { percent, ratio } from './score.ts';

/** What one tracked brand collected in a cell. */
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
 * Share of voice within one cell: units mentioning the brand over the sum of the same over all tracked brands,
 * null where that sum is 0. Rank 1 is the largest share; equal mentions share a rank.
 */
export function sharesOf<T extends BrandSums>(brands: readonly T[]): BrandShare<T>[] {
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
