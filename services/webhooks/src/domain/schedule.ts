export type Schedule = {
  /** Delay before each attempt, including the first one. The length is the number of attempts. */
  delaysMs: readonly number[];
  /** Maximum relative change of a delay by jitter (0.2: 20 %), from the second retry on. */
  jitter: number;
  retryAfterMaxMs: number;
};

export type NextAttempt = { status: 'pending'; nextAttemptAt: Date } | { status: 'dead' };

type Failure = {
  at: Date;
  /** Attempts since the schedule started or was restarted by a replay. */
  attempts: number;
  isPing: boolean;
  retryAfterMs: number | null;
  /** The receiver has returned 410. */
  gone: boolean;
  /** The receiver may have processed the event. */
  unknown: boolean;
};

/**
 * Returns when to retry after a failed or unknown attempt. A ping is retried only while its outcome is unknown, so that a
 * stop of the dispatcher does not leave its endpoint unverified. `random` is 0 to 1.
 */
export function nextAttempt(schedule: Schedule, failure: Failure, random: number): NextAttempt {
  const delayMs = schedule.delaysMs[failure.attempts];
  const isFailedPing = failure.isPing && !failure.unknown;
  if (isFailedPing || failure.gone || delayMs === undefined) return { status: 'dead' };
  const jitterFactor = failure.attempts >= 2 ? 1 + schedule.jitter * (2 * random - 1) : 1;
  const retryAfterMs = Math.min(failure.retryAfterMs ?? 0, schedule.retryAfterMaxMs);
  return {
    status: 'pending',
    nextAttemptAt: new Date(
      failure.at.getTime() + Math.max(Math.round(delayMs * jitterFactor), retryAfterMs),
    ),
  };
}
