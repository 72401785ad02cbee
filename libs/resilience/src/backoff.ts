export type Backoff = {
  /** The first delay. Each further delay doubles it. */
  baseMs: number;
  maxMs: number;
  /** The random part of a delay, so that processes do not retry at the same time: 0 is none (default), 1 is all of it. */
  jitter?: number;
};

/** Exponential backoff: milliseconds before a retry. `retry` counts from 0, `random` is from 0 to 1. */
export function backoffMs(
  { baseMs, maxMs, jitter = 0 }: Backoff,
  retry: number,
  random: number = Math.random(),
): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** retry);
  return ceilingMs * (1 - jitter + jitter * random);
}
