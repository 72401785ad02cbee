import { createPause } from './pause.ts';

/**
 * Runs at once, and again `everyMs` after the run before has ended, until stopped. `stop` aborts the signal of the run
 * under way and waits for it. Failures are the caller's to log.
 */
export function startInterval(
  everyMs: number,
  run: (stopping: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const pause = createPause();
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await run(stopping.signal);
      } catch (error) {
        onError(error);
      }
      if (!stopping.signal.aborted) await pause.wait(everyMs);
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
