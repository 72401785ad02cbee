export type LruCache<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
};

/** Least recently used values up to a total of `maxSize`, in the memory of the process. */
export function createLruCache<V>(maxSize: number, sizeOf: (value: V) => number): LruCache<V> {
  const kept = new Map<string, V>();
  let size = 0;
  const remove = (key: string): void => {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    size -= sizeOf(value);
  };
  return {
    get: (key) => {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      // Moved to the end: the front holds the least recently used.
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set: (key, value) => {
      remove(key);
      kept.set(key, value);
      size += sizeOf(value);
      for (const oldest of kept.keys()) {
        if (size <= maxSize) return;
        remove(oldest);
      }
    },
  };
}
