import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Repeats a run that failed while this process stood still for longer than `stallMs` at a stretch: on a machine that
 * others hold, what must come in time comes late, and proves nothing. Throws what a run in peace, or the last, threw.
 */
export async function undisturbed<T>(
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
