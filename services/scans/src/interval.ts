import { setTimeout as sleep } from 'node:timers/promises';

/** Runs again `everyMs` after the run before has ended, until stopped. Failures are the caller's to log. */
export function startInterval(
  everyMs: number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await run().catch(onError);
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
