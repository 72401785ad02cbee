/** Runs `work` again and again with a pause in between, never twice at once; `stop` waits for the one that runs. */
export function startInterval(
  pauseMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let stopped = false;
  const schedule = (): void => {
    timer = setTimeout(() => {
      current = work()
        .then(() => undefined, onError)
        .then(() => {
          if (!stopped) schedule();
        });
    }, pauseMs);
  };
  schedule();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
