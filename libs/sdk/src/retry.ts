import {
  BrandVisibilityError,
  ConnectionError,
  isApiError,
  ApiError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { RetryOptions } from './options.ts';

type Wait = {
  waitMs: number;
  /** Whether it uses up one of `maxRetries`. */
  counts: boolean;
  /** Whether the answer is stored against the key, so that only a new one is served. */
  newKey: boolean;
};

/** Exponential, between half and the whole of the step. */
export function backoffMs(attempt: number, retry: RetryOptions): number {
  const step = Math.min(retry.baseDelayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  return step * (0.5 + Math.random() / 2);
}

/** Never before `Retry-After`; spread after it so that clients refused together do not return together. */
function afterMs(seconds: number | undefined, attempt: number, retry: RetryOptions): number | undefined {
  if (seconds === undefined) return backoffMs(attempt, retry);
  const ms = seconds * 1000;
  if (ms > retry.maxRetryAfterMs) return undefined;
  return ms + Math.random() * Math.max(retry.baseDelayMs, ms / 10);
}

/**
 * How long to wait before the same request is sent again, or `undefined` where it must not be. Writes carry an
 * idempotency key, so that after a lost connection or a 5xx they are as safe to repeat as reads.
 */
export function planRetry(error: unknown, attempt: number, retry: RetryOptions): Wait | undefined {
  if (!(error instanceof BrandVisibilityError)) return undefined;
  const wait = (waitMs: number | undefined, special: Partial<Wait> = {}): Wait | undefined =>
    waitMs === undefined ? undefined : { waitMs, counts: true, newKey: false, ...special };
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return wait(backoffMs(attempt, retry));
  if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) return undefined;
  const later = () => afterMs(error.retryAfterSeconds, attempt, retry);
  if (error.status === 429 || error.status >= 500) return wait(later());
  // Something goes on there that ends: the deadline of the whole call alone is the end of waiting for it.
  if (isApiError(error, 'scan_in_progress')) return wait(later(), { counts: false });
  // Says nothing of when to come again: as seldom as after four failures, for each time is charged.
  if (isApiError(error, 'idempotency_key_in_flight')) return wait(backoffMs(4, retry), { counts: false });
  if (isApiError(error, 'prompt_writes_busy')) return wait(later(), { newKey: true });
  return undefined;
}
