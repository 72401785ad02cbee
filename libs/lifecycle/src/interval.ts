/** A wait that another part of the process can end early. */
export type Notifier = {
  wait(ms: number): Promise<void>;
  /** Ends the current wait, or the next one if there is none. */
  wake(): void;
};

export function createNotifier(): Notifier {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wait: (ms) => {
      if (woken) {
        woken = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const timer = setTimeout(finish, ms);
        end = finish;
        function finish(): void {
          clearTimeout(timer);
          end = undefined;
          resolve();
        }
      });
    },
    wake: () => {
      if (end) end();
      else woken = true;
    },
  };
}

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
