import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the promise settles in time. The timer is stopped then, so that it does not keep the process alive. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const abort = new AbortController();
  const late = sleep(timeoutMs, false, { signal: abort.signal }).catch(() => false);
  const settled = promise.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([settled, late]);
  abort.abort();
  return inTime;
}

/** Polls until the check is true. Returns false if the time is over or `until` settles first. */
export async function waitUntil(
  check: () => Promise<boolean>,
  options: { timeoutMs: number; intervalMs?: number; until?: Promise<unknown> },
): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  let over = false;
  void options.until?.then(
    () => (over = true),
    () => (over = true),
  );
  while (!over && performance.now() < deadline) {
    if (await check()) return true;
    await sleep(options.intervalMs ?? 25);
  }
  return false;
}
