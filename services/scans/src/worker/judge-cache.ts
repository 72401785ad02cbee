import type { Judgement } from './judge-request.ts';

type Judgements = ReadonlyMap<number, Judgement>;

export type JudgeCache = {
  get(key: string): Judgements | undefined;
  set(key: string, judgements: Judgements): void;
};

/** About the memory of an entry without its quotes, and of a judgement without its quote. */
const entryBytes = 200;
const judgementBytes = 100;

/**
 * Least recently used judgements by the key of their request, within `maxBytes`. In the memory of the process: another
 * replica that gets the same text pays once more.
 */
export function createJudgeCache(maxBytes: number): JudgeCache {
  const kept = new Map<string, Judgements>();
  let bytes = 0;
  const remove = (key: string): void => {
    const judgements = kept.get(key);
    if (judgements === undefined) return;
    kept.delete(key);
    bytes -= sizeOf(judgements);
  };
  return {
    get: (key) => {
      const judgements = kept.get(key);
      if (judgements === undefined) return undefined;
      // Moved to the end: the front holds the least recently used.
      kept.delete(key);
      kept.set(key, judgements);
      return judgements;
    },
    set: (key, judgements) => {
      remove(key);
      kept.set(key, judgements);
      bytes += sizeOf(judgements);
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) return;
        remove(oldest);
      }
    },
  };
}

function sizeOf(judgements: Judgements): number {
  let bytes = entryBytes;
  for (const { quote } of judgements.values()) bytes += judgementBytes + 2 * quote.length;
  return bytes;
}
