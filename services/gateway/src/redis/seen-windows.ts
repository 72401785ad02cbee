/**
 * The highest count this gateway has seen of each key's current minute. Handed to the charging script, it restores
 * the window of a Redis that lost its data, so that Remaining does not rise again inside the minute.
 */
export type SeenWindows = {
  last(keyId: string): { minute: number; count: number };
  learn(keyId: string, minute: number, count: number): void;
  /** Every key's count, where this is the minute that is kept. */
  of(minute: number): [keyId: string, count: number][];
};

const never = { minute: 0, count: 0 };

export function createSeenWindows(): SeenWindows {
  let current = 0;
  let counts = new Map<string, number>();
  return {
    of: (minute) => (minute === current ? [...counts] : []),
    last: (keyId) => {
      const count = counts.get(keyId);
      return count === undefined ? never : { minute: current, count };
    },
    learn: (keyId, minute, count) => {
      if (minute < current) return;
      // One minute's keys at most: the former minute is forgotten as a whole.
      if (minute > current) counts = new Map();
      current = minute;
      counts.set(keyId, Math.max(count, counts.get(keyId) ?? 0));
    },
  };
}
