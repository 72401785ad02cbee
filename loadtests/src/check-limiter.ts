import { describe, isUncounted } from './check-run.ts';
import type { AnswerRecord, RunData } from './record.ts';
import type { Violations } from './violations.ts';

const windowSeconds = 60;

type Counted = AnswerRecord & { limit: number; remaining: number; reset: number };
type Keys = RunData['keys'];

export type LimiterFigures = { admitted: number; refused: number; windows: number; exactRetryAfter: number };

/**
 * What a limiter promises, read from its answers alone: a window is what the Reset header says it is, never what
 * the clock here says. Keys are new, so no other client uses them.
 */
export function checkLimiter(
  records: readonly AnswerRecord[],
  keys: Keys,
  violations: Violations,
): LimiterFigures {
  const counted = records.filter((record): record is Counted => isCounted(record, violations));
  for (const record of counted) checkHeaders(record, keys, violations);
  const windows = Map.groupBy(counted, ({ key, reset }) => `${key} ${reset}`);
  // One that timed out may have been counted all the same.
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

function isCounted(record: AnswerRecord, violations: Violations): boolean {
  const { status, limit, remaining, reset } = record;
  if (status === 0 || status >= 500 || status === 401) return false;
  const whole = [limit, remaining, reset].every((value) => Number.isInteger(value));
  if (!whole) violations.add('every counted answer tells its window', describe(record));
  return whole;
}

/** Node renews its Date once a second: the answer's may be the second just past. */
const secondsLeft = ({ reset, date }: Counted): number => reset - (date ?? 0);

/** Window and wait are told when the request is counted, the Date when it is answered. */
const secondsUnderWay = ({ durationMs }: Counted): number => Math.floor(durationMs / 1_000);

/** `Reset` comes from the clock of Redis, `Date` from the gateway: a second may begin between the two. */
function leadsToReset(record: Counted): boolean {
  const wait = record.retryAfter ?? Number.NaN;
  const early = wait - secondsLeft(record);
  return wait >= 1 && early >= -1 && early <= 1 + secondsUnderWay(record);
}

function checkHeaders(record: Counted, keys: Keys, violations: Violations): void {
  const { key, limit, remaining, reset, status, code, retryAfter } = record;
  const example = `${describe(record)}; ${remaining} of ${limit} left until ${reset}, Retry-After ${retryAfter}`;
  if (limit !== keys[key]?.perMinute) violations.add('Limit is the allowance of the key', example);
  if (remaining < 0 || remaining >= limit) violations.add('Remaining lies within the allowance', example);
  const left = secondsLeft(record);
  if (reset % windowSeconds !== 0) violations.add('Reset is the end of a clock minute', example);
  if (left < -secondsUnderWay(record) || left > windowSeconds)
    violations.add('Reset is the end of the running minute', example);
  if (status !== 429) {
    if (retryAfter !== null) violations.add('only a refusal has Retry-After', example);
    return;
  }
  if (code !== 'rate_limited') violations.add('a refusal says rate_limited', example);
  if (remaining !== 0) violations.add('a refusal leaves nothing', example);
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
      violations.add('each place of the allowance is given once', `${name}: ${record.remaining} left, twice`);
    }
    seen.add(record.remaining);
  }
  checkOrder(window, name, violations);
}

/** Of two requests of which one was answered before the other was sent, the later one finds less left. */
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
      violations.add(
        'Remaining never rises within a window',
        `${name}: ${record.remaining} after ${lowest} had been seen`,
      );
    }
  }
}
