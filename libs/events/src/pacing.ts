/** Short, so that work goes on soon after an outage. */
export const retryBackoff = { baseMs: 200, maxMs: 2_000, jitter: 0.25 };

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
