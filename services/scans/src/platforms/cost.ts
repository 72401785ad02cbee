/** Prices in US dollars; what is not given counts as nothing. */
export type Prices = {
  inputPerMillionTokensUsd?: number;
  outputPerMillionTokensUsd?: number;
  searchUsd?: number;
  requestUsd?: number;
};

export type Usage = { inputTokens: number; outputTokens: number; searches: number; requests: number };

/** Null without prices: an unknown cost is not a cost of nothing. */
export function costUsd(prices: Prices | undefined, usage: Usage): number | null {
  if (prices === undefined) return null;
  const cost =
    (usage.inputTokens * (prices.inputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    (usage.outputTokens * (prices.outputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    usage.searches * (prices.searchUsd ?? 0) +
    usage.requests * (prices.requestUsd ?? 0);
  return Math.round(cost * 1_000_000) / 1_000_000;
}

/** More than a question can cost: a service that states it, or a count of tokens below zero, is not believed. */
const maxCostUsd = 1_000;

/** Null for a cost that cannot be one: it would break the sums it goes into. */
export function believableCost(cost: number | null): number | null {
  return cost !== null && cost >= 0 && cost <= maxCostUsd ? cost : null;
}
