/** Short, so that work continues soon after an outage. */
export const retryBackoff = { baseMs: 200, maxMs: 2_000, jitter: 0.25 };

/** Logs the first failure, one with another message, and the first success after it. */
export type StateLog = { up(): void; down(error: unknown, message?: string): void };

export function createStateLog(
  log: { warn(fields: object, message: string): void; info(message: string): void },
  messages: { up: string; down: string },
): StateLog {
  let failing: string | undefined;
  return {
    up: () => {
      if (failing !== undefined) log.info(messages.up);
      failing = undefined;
    },
    down: (error, message = messages.down) => {
      if (failing !== message) log.warn({ err: error }, message);
      failing = message;
    },
  };
}
