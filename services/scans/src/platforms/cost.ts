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
