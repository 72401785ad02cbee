/** Short, so that work continues soon after an outage. */
export const retryBackoff = { baseMs: 200, maxMs: 2_000, jitter: 0.25 };

/** Logs the first failure and the first success after it. */
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
