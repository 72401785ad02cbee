import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `attempt` until it does not throw. Throws its last error when the time is over. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 50 }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await sleep(intervalMs);
  }
}
