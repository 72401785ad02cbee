import { describe, isUncounted } from './check-run.ts';
import type { ResponseRecord } from './record.ts';
import type { Violations } from './violations.ts';

export type FailedAttemptFigures = { guesses: number; blocked: number; addresses: number };

/** An address may send `threshold` invalid keys in a minute. Then all its requests are refused, valid keys included. */
export function checkFailedAttempts(
  records: readonly ResponseRecord[],
  threshold: number,
  violations: Violations,
): FailedAttemptFigures {
  const blocked = records.filter(({ status }) => status === 429);
  for (const record of records) {
    if (record.phase === 'honest' && record.status !== 200) {
      violations.add('an address with only valid keys is never refused', describe(record));
    }
    if (record.key === -1 && record.status === 200)
      violations.add('no guessed key is accepted', describe(record));
    if (record.key !== -1 && record.status === 401)
      violations.add('a valid key is never 401', describe(record));
    if (record.status === 401 && record.reset !== null) {
      violations.add('a 401 has no rate limit headers', describe(record));
    }
  }
  for (const record of blocked) checkRefusal(record, threshold, violations);
  const addresses = Map.groupBy(records, ({ user }) => user);
  for (const [user, sent] of addresses) checkAddress(user, sent, threshold, violations);
  return {
    guesses: records.filter(({ status }) => status === 401).length,
    blocked: blocked.length,
    addresses: addresses.size,
  };
}

function checkRefusal(record: ResponseRecord, threshold: number, violations: Violations): void {
  const { limit, remaining, reset, retryAfter, date } = record;
  const example = `${describe(record)}; ${remaining} of ${limit} until ${reset}, Retry-After ${retryAfter}`;
  if (limit !== threshold || remaining !== 0) {
    violations.add("a refusal has the address's allowance", example);
  }
  const left = (reset ?? 0) - (date ?? 0);
  if ((reset ?? 1) % 60 !== 0 || left < 0 || left > 60) {
    violations.add('Reset is the end of the running minute', example);
  }
  if (!(Math.abs((retryAfter ?? Number.NaN) - left) <= 1)) {
    violations.add('Retry-After leads to Reset, to the second', example);
  }
}

/** A user sends requests in sequence. A response within a second of a minute edge may belong to either minute. */
function checkAddress(
  user: number,
  sent: readonly ResponseRecord[],
  threshold: number,
  violations: Violations,
): void {
  const inside = sent.filter(({ date }) => (date ?? 0) % 60 >= 1 && (date ?? 0) % 60 <= 58);
  for (const [minute, responses] of Map.groupBy(inside, ({ date }) => Math.floor((date ?? 0) / 60))) {
    const guesses = responses.filter(({ status }) => status === 401).length;
    const name = `address ${user}, minute ${minute}: ${guesses} guesses`;
    if (guesses > threshold) violations.add('no address tries more keys than the threshold', name);
    // A request that timed out may have been counted.
    const tried = sent.filter((record) => isUncounted(record) || isGuessOfMinute(record, minute)).length;
    const firstBlocked = responses.findIndex(({ status }) => status === 429);
    if (firstBlocked >= 0 && tried < threshold)
      violations.add('no address is blocked below the threshold', name);
    const firstPassed =
      firstBlocked < 0 ? -1 : responses.slice(firstBlocked).findIndex(({ status }) => status !== 429);
    if (firstPassed >= 0) violations.add('a blocked address stays blocked until its minute ends', name);
  }
}

/** Includes the last second of the previous minute, because `Date` may lag by one second. */
const isGuessOfMinute = ({ status, date }: ResponseRecord, minute: number): boolean =>
  status === 401 && date !== null && date >= minute * 60 - 1 && date < (minute + 1) * 60;
