/** 200 ms, doubling to two seconds: short, so that work goes on soon after an outage. Jitter keeps replicas out of step. */
export function backoffMs(failures: number): number {
  const ceiling = Math.min(2_000, 200 * 2 ** Math.min(failures, 10));
  return ceiling * (0.75 + Math.random() / 4);
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
