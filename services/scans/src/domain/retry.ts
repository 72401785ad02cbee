export type RetryPolicy = { maxAttempts: number; baseMs: number; maxMs: number };

/** A platform may ask for patience, but not for longer than a scan can wait. */
const longestRetryAfterMs = 10 * 60 * 1_000;

/**
 * How long a unit waits after a failed attempt: doubling, half of it random so that units do not come back together,
 * and never sooner than the platform asked for. `random` is from 0 to 1.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  failed: { attempts: number; retryAfterSeconds: number | null },
  random: number,
): number {
  const ceiling = Math.min(policy.maxMs, policy.baseMs * 2 ** Math.max(0, failed.attempts - 1));
  const backoff = ceiling / 2 + (ceiling / 2) * random;
  const asked = Math.min(longestRetryAfterMs, (failed.retryAfterSeconds ?? 0) * 1_000);
  return Math.round(asked > 0 ? Math.max(asked * (1 + random / 10), backoff) : backoff);
}
