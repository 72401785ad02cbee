import { createPause } from './pause.ts';

/**
 * Runs at once, and again `everyMs` after the run before has ended, until stopped. `stop` aborts the signal of the run
 * in progress and waits for it. Failures are the caller's to log. After a failure the next run comes after `retryMs` where
 * that is sooner.
 */
export function startInterval(
  everyMs: number,
  run: (stopping: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
  { retryMs = everyMs }: { retryMs?: number } = {},
): { stop(): Promise<void> } {
  const pause = createPause();
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let waitMs = everyMs;
      try {
        await run(stopping.signal);
      } catch (error) {
        onError(error);
        waitMs = Math.min(everyMs, retryMs);
      }
      if (!stopping.signal.aborted) await pause.wait(waitMs);
    }
  };
  const ended = loop();
  return {
    stop: () => {
      stopping.abort();
      pause.wake();
      return ended;
    },
  };
}
