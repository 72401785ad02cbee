/** Starts that were not used up count for this long, so that a poll every quarter of a second loses none. */
const burstMs = 1_000;

type Lane = { idleMs: number; perMinute: number; limit: number };

/** How many units may start now: none while the lane waits; without a pace as many as there is room for. */
export function startsAllowed({ idleMs, perMinute, limit }: Lane): number {
  if (idleMs < 0) return 0;
  if (perMinute === 0) return limit;
  return Math.min(limit, 1 + Math.floor(Math.min(idleMs, burstMs) / (60_000 / perMinute)));
}

/** Milliseconds from now to the lane's next start after `started` units. */
export function nextStartMs({ idleMs, perMinute }: Omit<Lane, 'limit'>, started: number): number {
  return started * (60_000 / perMinute) - Math.min(Math.max(idleMs, 0), burstMs);
}
