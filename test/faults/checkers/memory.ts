/** What one process still held, after a forced collection, when so many requests had been sent to the system. */
export type Held = { requests: number; bytes: number };

/** Tables that grow with the number of customers or days stay far below this; what is kept for each request does not. */
const mayKeepBytes = 150;

/**
 * Bytes more for each request over the second half: the first fills caches and compiles. By the median of the slopes
 * between all pairs, which a single sample taken amid work cannot move.
 */
export function keptPerRequest(held: readonly Held[]): number {
  const half = held.slice(Math.floor(held.length / 2));
  const slopes = half
    .flatMap((from, index) =>
      half.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.requests - from.requests)),
    )
    .toSorted((one, other) => one - other);
  return slopes[Math.floor(slopes.length / 2)] ?? Number.POSITIVE_INFINITY;
}

export function checkMemory(held: ReadonlyMap<string, readonly Held[]>): string[] {
  return [...held].flatMap(([process, samples]) => {
    const kept = keptPerRequest(samples);
    return kept > mayKeepBytes ? [`${process} keeps ${kept.toFixed(0)} bytes of every request`] : [];
  });
}
