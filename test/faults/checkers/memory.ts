/** Heap of a process in bytes, after a forced collection, and the number of requests sent so far. */
export type HeapSample = { requests: number; bytes: number };

/** Tables that grow with customers or days stay far below this limit. A leak per request does not. */
const maxBytesPerRequest = 150;

/**
 * Heap growth in bytes per request over the second half of the samples. The first half fills caches and compiles.
 * The median of the slopes between all pairs (Theil-Sen estimator) is robust against single outliers.
 */
export function bytesPerRequest(heapSamples: readonly HeapSample[]): number {
  const half = heapSamples.slice(Math.floor(heapSamples.length / 2));
  const slopes = half
    .flatMap((from, index) =>
      half.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.requests - from.requests)),
    )
    .toSorted((one, other) => one - other);
  return slopes[Math.floor(slopes.length / 2)] ?? Number.POSITIVE_INFINITY;
}

export function checkMemory(heapSamples: ReadonlyMap<string, readonly HeapSample[]>): string[] {
  return [...heapSamples].flatMap(([process, samples]) => {
    const kept = bytesPerRequest(samples);
    return kept > maxBytesPerRequest ? [`${process} keeps ${kept.toFixed(0)} bytes of every request`] : [];
  });
}
