import { type Interval, wilsonInterval } from '@bv/statistics';

/** Numerators and denominators of one cell (a day's latest units of a brand, by market and platform). */
export type UnitSums = {
  unitsAnswered: number;
  unitsMentioned: number;
  unitsCited: number;
  /** Not among `unitsCited`: it is not known whether they cite the brand. */
  unitsCitationsUnknown: number;
  /** Sum of the unit scores: 0 where not mentioned, else 100 / (1 + 0.1 (position - 1)). */
  unitScoreSum: number;
  positionSum: number;
  sentimentSum: number;
  sentimentCount: number;
};

type Rates = {
  score: number | null;
  mentionRate: number | null;
  mentionRateLow: number | null;
  mentionRateHigh: number | null;
  averagePosition: number | null;
  sentiment: number | null;
  citationRate: number | null;
};

/** Rounds to two decimals, halves away from zero, as a decimal: the binary value of 10.075 is slightly less. */
export function round2(value: number): number {
  const cents = Math.round(Number((Math.abs(value) * 100).toPrecision(15))) / 100;
  return value < 0 && cents > 0 ? -cents : cents;
}

/** `part / total` as a percentage; null if `total` is 0. */
export const percent = (part: number, total: number): number | null =>
  total === 0 ? null : round2((part / total) * 100);

/** The same of a figure that may be missing. */
export const rounded = (value: number | null): number | null => (value === null ? null : round2(value));

type Bounds<Name extends string> = Record<`${Name}_low` | `${Name}_high`, number | null>;

/** The bounds of a figure as its fields, rounded. */
export const toBounds = <Name extends string>(name: Name, bounds: Interval | null): Bounds<Name> =>
  ({
    [`${name}_low`]: rounded(bounds?.low ?? null),
    [`${name}_high`]: rounded(bounds?.high ?? null),
  }) as Bounds<Name>;

const ratio = (sum: number, count: number): number | null => (count === 0 ? null : round2(sum / count));

/** Rates of a cell over its answered units; null if it has none. */
export function computeRates(sums: UnitSums): Rates {
  const interval = wilsonInterval(sums.unitsMentioned / sums.unitsAnswered, sums.unitsAnswered);
  return {
    score: ratio(sums.unitScoreSum, sums.unitsAnswered),
    mentionRate: percent(sums.unitsMentioned, sums.unitsAnswered),
    mentionRateLow: interval && round2(interval.low * 100),
    mentionRateHigh: interval && round2(interval.high * 100),
    averagePosition: ratio(sums.positionSum, sums.unitsMentioned),
    sentiment: ratio(sums.sentimentSum, sums.sentimentCount),
    citationRate: percent(sums.unitsCited, sums.unitsAnswered - sums.unitsCitationsUnknown),
  };
}

/** Difference of two stored values; null if either is null. */
export const computeChange = (current: number | null, previous: number | null): number | null =>
  current === null || previous === null ? null : round2(current - previous);

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
