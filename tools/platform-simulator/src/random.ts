import { createHash } from 'node:crypto';

/** Deterministic pseudo-random choices: the same for the same seed, on every machine. */
export type Chooser = {
  /** A number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  chance(percent: number): boolean;
  shuffle<T>(items: readonly T[]): T[];
};

export function createChooser(...seed: string[]): Chooser {
  const text = JSON.stringify(seed);
  let counter = 0;
  const below = (bound: number): number => {
    counter += 1;
    return createHash('sha256').update(`${counter}:${text}`).digest().readUInt32BE(0) % bound;
  };
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    chance: (percent) => below(100) < percent,
    shuffle: (items) =>
      items
        .map((item) => ({ item, key: below(2 ** 31) }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item),
  };
}
