import { backoffMs } from '@bv/resilience';

export type RetryPolicy = { maxAttempts: number; baseMs: number; maxMs: number };

/** Limits the delay that a platform may request: a scan cannot wait longer. */
const maxRetryAfterMs = 10 * 60 * 1_000;

/**
 * Milliseconds until the next attempt: exponential backoff, half of it jitter so that units do not retry together, and
 * at least the platform's `Retry-After`. `random` is from 0 to 1.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  failed: { attempts: number; retryAfterSeconds: number | null },
  random: number,
): number {
  const backoff = backoffMs({ ...policy, jitter: 0.5 }, Math.max(0, failed.attempts - 1), random);
  const retryAfterMs = Math.min(maxRetryAfterMs, (failed.retryAfterSeconds ?? 0) * 1_000);
  return Math.round(Math.max(retryAfterMs * (1 + random / 10), backoff));
}
