/** Maximum distance of the share from one half. With some hundred interleaved samples, chance causes about 0.02. */
const maxDeviation = 0.1;

/** Share of pairs in which the first sample took longer. One half means that time reveals nothing. */
export function shareLonger(one: readonly number[], other: readonly number[]): number {
  let longer = 0;
  for (const left of one) for (const right of other) longer += left > right ? 1 : left === right ? 0.5 : 0;
  return longer / (one.length * other.length);
}

export function checkTiming(name: string, one: readonly number[], other: readonly number[]): string[] {
  const share = shareLonger(one, other);
  return Math.abs(share - 0.5) <= maxDeviation
    ? []
    : [`${name}: slower in ${(share * 100).toFixed(0)} % of pairs`];
}
