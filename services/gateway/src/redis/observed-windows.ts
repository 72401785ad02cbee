/**
 * The highest count of each key in the current minute that this gateway has observed. The charging script uses it to
 * restore the window after Redis has lost its data, so that `X-RateLimit-Remaining` does not rise within a minute.
 */
export type ObservedWindows = {
  get(keyId: string): { minute: number; count: number };
  record(keyId: string, minute: number, count: number): void;
  /** The counts of all keys in this minute; empty if it is not the current one. */
  list(minute: number): [keyId: string, count: number][];
};

const none = { minute: 0, count: 0 };

export function createObservedWindows(): ObservedWindows {
  let current = 0;
  let counts = new Map<string, number>();
  return {
    list: (minute) => (minute === current ? [...counts] : []),
    get: (keyId) => {
      const count = counts.get(keyId);
      return count === undefined ? none : { minute: current, count };
    },
    record: (keyId, minute, count) => {
      if (minute < current) return;
      // Keeps the keys of one minute. A new minute replaces the whole Map.
      if (minute > current) counts = new Map();
      current = minute;
      counts.set(keyId, Math.max(count, counts.get(keyId) ?? 0));
    },
  };
}
