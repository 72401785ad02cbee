import { createPause } from './pause.ts';

/** Runs at once, and again `everyMs` after the run before has ended, until stopped. Failures are the caller's to log. */
export function startInterval(
  everyMs: number,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const pause = createPause();
  let stopping = false;
  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        await run();
      } catch (error) {
        onError(error);
      }
      if (!stopping) await pause.wait(everyMs);
    }
  };
  const ended = loop();
  return {
    stop: () => {
      stopping = true;
      pause.wake();
      return ended;
    },
  };
}
