import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Retries a run that failed while the event loop was blocked for longer than `stallMs` at once. On a busy machine a
 * late result proves nothing. Throws the error of a run without such a stall, or of the last attempt.
 */
export async function retryIfStalled<T>(
  run: () => Promise<T>,
  { stallMs, attempts = 4 }: { stallMs: number; attempts?: number },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const delays = monitorEventLoopDelay();
    delays.enable();
    try {
      return await run();
    } catch (error) {
      const stalled = delays.max / 1_000_000 > stallMs;
      if (!stalled || attempt === attempts) throw error;
    } finally {
      delays.disable();
    }
  }
}
