import { setTimeout as sleep } from 'node:timers/promises';

export type Pause = {
  /** Waits that long, or less: until `end`, also one that came since the last wait. */
  wait(delayMs: number): Promise<void>;
  end(): void;
};

export function createPause(): Pause {
  let ended = new AbortController();
  return {
    wait: async (delayMs) => {
      await sleep(delayMs, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) ended = new AbortController();
    },
    end: () => ended.abort(),
  };
}
