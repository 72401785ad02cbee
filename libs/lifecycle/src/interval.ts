import { createNotifier } from './notifier.ts';

/**
 * Runs at once, and again `everyMs` after the previous run ended, until stopped. `stop` aborts the signal of the run in
 * progress and waits for it. After a failure, which the caller logs, the next run starts after `retryMs` if that is
 * sooner.
 */
export function startInterval(
  everyMs: number,
  run: (stopping: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
  { retryMs = everyMs }: { retryMs?: number } = {},
): { stop(): Promise<void> } {
  const notifier = createNotifier();
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
      if (!stopping.signal.aborted) await notifier.wait(waitMs);
    }
  };
  const ended = loop();
  return {
    stop: () => {
      stopping.abort();
      notifier.wake();
      return ended;
    },
  };
}
