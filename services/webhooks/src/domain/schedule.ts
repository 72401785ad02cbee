export type Schedule = {
  /** Wait before each attempt, the first included; its length is the number of attempts. */
  delaysMs: readonly number[];
  /** Share by which a wait may be longer or shorter, from the second retry on. */
  jitter: number;
  retryAfterMaxMs: number;
};

export type Next = { status: 'pending'; nextAttemptAt: Date } | { status: 'dead' };

type Failure = {
  at: Date;
  /** Attempts made so far in this run of the schedule. */
  attempts: number;
  isPing: boolean;
  retryAfterMs: number | null;
  /** The receiver has said that it wants no more (410). */
  gone: boolean;
};

/** What follows a failed or unknown attempt. `random` is 0 to 1. */
export function nextAttempt(schedule: Schedule, failure: Failure, random: number): Next {
  const delayMs = schedule.delaysMs[failure.attempts];
  if (failure.isPing || failure.gone || delayMs === undefined) return { status: 'dead' };
  const spread = failure.attempts >= 2 ? 1 + schedule.jitter * (2 * random - 1) : 1;
  const askedMs = Math.min(failure.retryAfterMs ?? 0, schedule.retryAfterMaxMs);
  return {
    status: 'pending',
    nextAttemptAt: new Date(failure.at.getTime() + Math.max(Math.round(delayMs * spread), askedMs)),
  };
}
