import { describe, isUncounted } from './check-run.ts';
import type { ResponseRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

const windowSeconds = 60;

type Counted = ResponseRecord & { limit: number; remaining: number; reset: number };
type Keys = RunData['keys'];

export type LimiterFigures = { admitted: number; refused: number; windows: number; exactRetryAfter: number };

/**
 * Checks the guarantees of the rate limiter by its responses alone. The Reset header defines the window, never the
 * local clock. Keys are new, so no other client uses them.
 */
export function checkLimiter(
  records: readonly ResponseRecord[],
  keys: Keys,
  violations: Violations,
): LimiterFigures {
  const counted = records.filter((record): record is Counted => isCounted(record, violations));
  for (const record of counted) checkHeaders(record, keys, violations);
  const windows = Map.groupBy(counted, ({ key, reset }) => `${key} ${reset}`);
  // A request that timed out may have been counted.
  const uncounted = Map.groupBy(records.filter(isUncounted), ({ key }) => key);
  for (const window of windows.values()) {
    checkWindow(window, uncounted.get(window[0]?.key ?? -1)?.length ?? 0, violations);
  }
  for (const record of counted) {
    if (record.phase === 'below' && record.status === 429) {
      violations.add('a key below its allowance is never refused', describe(record));
    }
  }
  const refused = counted.filter(({ status }) => status === 429);
  return {
    admitted: counted.length - refused.length,
    refused: refused.length,
    windows: windows.size,
    exactRetryAfter: refused.filter((record) => record.retryAfter === secondsLeft(record)).length,
  };
}

function isCounted(record: ResponseRecord, violations: Violations): boolean {
  const { status, limit, remaining, reset } = record;
  if (status === 0 || status >= 500 || status === 401) return false;
  const whole = [limit, remaining, reset].every((value) => Number.isInteger(value));
  if (!whole) violations.add('every counted response has rate limit headers', describe(record));
  return whole;
}

/** Seconds from Date to Reset. Node updates Date once a second, so it may lag by one. */
const secondsLeft = ({ reset, date }: Counted): number => reset - (date ?? 0);

/** Reset and Retry-After are from the time of counting, Date from the time of the response. */
const secondsInFlight = ({ durationMs }: Counted): number => Math.floor(durationMs / 1_000);

/** `Reset` is from the clock of Redis, `Date` from the gateway. A second may begin between them. */
function leadsToReset(record: Counted): boolean {
  const wait = record.retryAfter ?? Number.NaN;
  const early = wait - secondsLeft(record);
  return wait >= 1 && early >= -1 && early <= 1 + secondsInFlight(record);
}

function checkHeaders(record: Counted, keys: Keys, violations: Violations): void {
  const { key, limit, remaining, reset, status, code, retryAfter } = record;
  const example = `${describe(record)}; ${remaining} of ${limit} left until ${reset}, Retry-After ${retryAfter}`;
  if (limit !== keys[key]?.perMinute) violations.add('Limit is the allowance of the key', example);
  if (remaining < 0 || remaining >= limit) violations.add('Remaining is within the allowance', example);
  const left = secondsLeft(record);
  if (reset % windowSeconds !== 0) violations.add('Reset is the end of a clock minute', example);
  // Date may lag.
  if (left < -secondsInFlight(record) || left > windowSeconds + 1)
    violations.add('Reset is the end of the running minute', example);
  if (status !== 429) {
    if (retryAfter !== null) violations.add('only a refusal has Retry-After', example);
    return;
  }
  if (code !== 'rate_limited') violations.add('a refusal has the code rate_limited', example);
  if (remaining !== 0) violations.add('a refusal has Remaining 0', example);
  if (!leadsToReset(record)) {
    violations.add('Retry-After leads to Reset, to the second', example);
  }
}

function checkWindow(window: readonly Counted[], uncounted: number, violations: Violations): void {
  const [first] = window;
  if (first === undefined) return;
  const admitted = window.filter(({ status }) => status !== 429);
  const name = `key ${first.key} (${first.phase}), window until ${first.reset}`;
  const summary = `${name}: ${admitted.length} of ${first.limit} admitted`;
  if (admitted.length > first.limit) violations.add('no key is admitted above its allowance', summary);
  if (admitted.length < window.length && admitted.length + uncounted < first.limit) {
    violations.add('nothing is refused while allowance is left', summary);
  }
  const seen = new Set<number>();
  for (const record of admitted) {
    if (seen.has(record.remaining)) {
      violations.add('each value of Remaining occurs once', `${name}: ${record.remaining} left, twice`);
    }
    seen.add(record.remaining);
  }
  checkOrder(window, name, violations);
}

/** A request that was sent after the response to another has a lower Remaining. */
function checkOrder(window: readonly Counted[], name: string, violations: Violations): void {
  const bySent = window.toSorted((one, other) => one.startMs - other.startMs);
  const byAnswered = window.toSorted((one, other) => one.endMs - other.endMs);
  let lowest = Number.POSITIVE_INFINITY;
  let answered = 0;
  for (const record of bySent) {
    for (let done = byAnswered[answered]; done !== undefined && done.endMs < record.startMs;) {
      lowest = Math.min(lowest, done.remaining);
      done = byAnswered[(answered += 1)];
    }
    const rises = record.status === 429 ? record.remaining > lowest : record.remaining >= lowest;
    if (rises) {
      violations.add('Remaining never rises within a window', `${name}: ${record.remaining} after ${lowest}`);
    }
  }
}
