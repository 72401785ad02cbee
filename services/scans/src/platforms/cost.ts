/** Prices in US dollars; a missing price counts as 0. */
export type Prices = {
  inputPerMillionTokensUsd?: number;
  outputPerMillionTokensUsd?: number;
  searchUsd?: number;
  requestUsd?: number;
};

export type Usage = { inputTokens: number; outputTokens: number; searches: number; requests: number };

/** Cost in US dollars. Null without prices: an unknown cost is not 0. */
export function costUsd(prices: Prices | undefined, usage: Usage): number | null {
  if (prices === undefined) return null;
  const cost =
    (usage.inputTokens * (prices.inputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    (usage.outputTokens * (prices.outputPerMillionTokensUsd ?? 0)) / 1_000_000 +
    usage.searches * (prices.searchUsd ?? 0) +
    usage.requests * (prices.requestUsd ?? 0);
  return Math.round(cost * 1_000_000) / 1_000_000;
}

/** More than a unit can cost. */
const maxCostUsd = 1_000;

/** Null for a negative or implausibly high cost, from a wrong price or token count: it would falsify the sums. */
export function validCost(cost: number | null): number | null {
  return cost !== null && cost >= 0 && cost <= maxCostUsd ? cost : null;
}
