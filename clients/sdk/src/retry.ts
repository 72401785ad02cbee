import {
  BrandVisibilityError,
  ConnectionError,
  isApiError,
  ApiError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
import type { RetryOptions } from './options.ts';

type RetryPlan = {
  waitMs: number;
  /** Whether it counts as one of `maxRetries`. */
  counts: boolean;
  /** Whether the service has stored the refusal for this key, so that a retry needs a new key. */
  newKey: boolean;
};

/** Exponential backoff with jitter: a random time between half and the whole of the step, in milliseconds. */
export function backoffMs(attempt: number, retry: RetryOptions): number {
  const step = Math.min(retry.baseDelayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  return step * (0.5 + Math.random() / 2);
}

/** Waits for `Retry-After` plus jitter, so that clients that were refused together do not retry together. */
function afterMs(seconds: number | undefined, attempt: number, retry: RetryOptions): number | undefined {
  if (seconds === undefined) return backoffMs(attempt, retry);
  const ms = seconds * 1000;
  if (ms > retry.maxRetryAfterMs) return undefined;
  return ms + Math.random() * Math.max(retry.baseDelayMs, ms / 10);
}

/**
 * Plans the retry of a request, or returns `undefined` if it must not be retried. Writes have an idempotency key, so
 * that they are as safe to retry as reads after a lost connection or a 5xx.
 */
export function planRetry(error: unknown, attempt: number, retry: RetryOptions): RetryPlan | undefined {
  if (!(error instanceof BrandVisibilityError)) return undefined;
  const wait = (waitMs: number | undefined, special: Partial<RetryPlan> = {}): RetryPlan | undefined =>
    waitMs === undefined ? undefined : { waitMs, counts: true, newKey: false, ...special };
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return wait(backoffMs(attempt, retry));
  if (!(error instanceof ApiError || error instanceof UnexpectedResponseError)) return undefined;
  const later = () => afterMs(error.retryAfterSeconds, attempt, retry);
  if (error.status === 429 || error.status >= 500) return wait(later());
  // The scan will end, so only the deadline of the call limits these retries.
  if (isApiError(error, 'scan_in_progress')) return wait(later(), { counts: false });
  // Without `Retry-After`. Every attempt is charged, so wait as long as after four failures.
  if (isApiError(error, 'idempotency_key_in_flight')) return wait(backoffMs(4, retry), { counts: false });
  if (isApiError(error, 'prompt_writes_busy')) return wait(later(), { newKey: true });
  return undefined;
}
