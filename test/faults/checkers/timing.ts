/** How far from one half the share may be; of some hundred interleaved samples chance makes 0.02. */
const mayDiffer = 0.1;

/** The share of pairs in which the one took longer than the other: one half when nothing can be told from time. */
export function shareLonger(one: readonly number[], other: readonly number[]): number {
  let longer = 0;
  for (const left of one) for (const right of other) longer += left > right ? 1 : left === right ? 0.5 : 0;
  return longer / (one.length * other.length);
}

export function checkTiming(name: string, one: readonly number[], other: readonly number[]): string[] {
  const share = shareLonger(one, other);
  return Math.abs(share - 0.5) <= mayDiffer
    ? []
    : [`${name}: slower in ${(share * 100).toFixed(0)} % of pairs`];
}
