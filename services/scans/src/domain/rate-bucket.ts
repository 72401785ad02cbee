/** Requests to a platform over all replicas: in flight, and started in a minute (0 is unlimited). */
export type PlatformLimits = { concurrency: number; perMinute: number };

/** Unused starts accumulate for this long, so that a poll interval of 250 ms loses none. */
const burstMs = 1_000;

/** `idleMs`: time since the next start was due; `limit`: room in the concurrency limits. `perMinute` 0 is unlimited. */
type RateBucket = { idleMs: number; perMinute: number; limit: number };

/** How many units may start now: none before the next start is due, `limit` without a rate. */
export function startsAllowed({ idleMs, perMinute, limit }: RateBucket): number {
  if (idleMs < 0) return 0;
  if (perMinute === 0) return limit;
  return Math.min(limit, 1 + Math.floor(Math.min(idleMs, burstMs) / (60_000 / perMinute)));
}

/** Milliseconds from now to the bucket's next start after `started` units. */
export function nextStartMs({ idleMs, perMinute }: Omit<RateBucket, 'limit'>, started: number): number {
  return started * (60_000 / perMinute) - Math.min(Math.max(idleMs, 0), burstMs);
}
