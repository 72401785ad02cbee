/** Waiting that something else can cut short. */
export type Pause = {
  wait(ms: number): Promise<void>;
  /** Ends the present wait, or the next one when nobody waits. */
  wake(): void;
};

export function createPause(): Pause {
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

/** 200 ms, doubling to five seconds, with jitter so that replicas do not return in step. */
export function backoffMs(failures: number): number {
  const ceiling = Math.min(5_000, 200 * 2 ** Math.min(failures, 10));
  return ceiling * (0.75 + Math.random() / 4);
}

/** Runs again `everyMs` after the run before has ended. Failures are the caller's to log. */
export function startInterval(
  everyMs: number,
  run: () => Promise<void>,
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

/** Waits until fewer than `limit` of the promises are pending; each removes itself when it has settled. */
export async function untilRoom(pending: ReadonlySet<Promise<unknown>>, limit: number): Promise<void> {
  while (pending.size >= limit) await Promise.race(pending);
}

/** Says once that something fails and once that it works again. */
export type StateLog = { up(): void; down(error: unknown): void };

export function createStateLog(
  log: { warn(fields: object, message: string): void; info(message: string): void },
  messages: { up: string; down: string },
): StateLog {
  let failing = false;
  return {
    up: () => {
      if (failing) log.info(messages.up);
      failing = false;
    },
    down: (error) => {
      if (!failing) log.warn({ err: error }, messages.down);
      failing = true;
    },
  };
}
