import { describe, isUncounted } from './check-run.ts';
import type { AnswerRecord } from './record.ts';
import type { Violations } from './violations.ts';

export type GateFigures = { guesses: number; gated: number; addresses: number };

/** `threshold` refused keys an address may present in a minute; then everything of it is refused, good keys too. */
export function checkGate(
  records: readonly AnswerRecord[],
  threshold: number,
  violations: Violations,
): GateFigures {
  const gated = records.filter(({ status }) => status === 429);
  for (const record of records) {
    if (record.phase === 'honest' && record.status !== 200) {
      violations.add('who presents good keys alone is never refused', describe(record));
    }
    if (record.key === -1 && record.status === 200) violations.add('no guessed key works', describe(record));
    if (record.key !== -1 && record.status === 401)
      violations.add('a good key is no guess', describe(record));
    if (record.status === 401 && record.reset !== null) {
      violations.add('a 401 tells no window', describe(record));
    }
  }
  for (const record of gated) checkRefusal(record, threshold, violations);
  const addresses = Map.groupBy(records, ({ user }) => user);
  for (const [user, sent] of addresses) checkAddress(user, sent, threshold, violations);
  return {
    guesses: records.filter(({ status }) => status === 401).length,
    gated: gated.length,
    addresses: addresses.size,
  };
}

function checkRefusal(record: AnswerRecord, threshold: number, violations: Violations): void {
  const { limit, remaining, reset, retryAfter, date } = record;
  const example = `${describe(record)}; ${remaining} of ${limit} until ${reset}, Retry-After ${retryAfter}`;
  if (limit !== threshold || remaining !== 0) {
    violations.add("a gated answer describes the address's allowance", example);
  }
  const left = (reset ?? 0) - (date ?? 0);
  if ((reset ?? 1) % 60 !== 0 || left < 0 || left > 60) {
    violations.add('Reset is the end of the running minute', example);
  }
  if (!(Math.abs((retryAfter ?? Number.NaN) - left) <= 1)) {
    violations.add('Retry-After leads to Reset, to the second', example);
  }
}

/** A user sends one request after another. What is answered within a second of a minute edge may belong to either. */
function checkAddress(
  user: number,
  sent: readonly AnswerRecord[],
  threshold: number,
  violations: Violations,
): void {
  const inside = sent.filter(({ date }) => (date ?? 0) % 60 >= 1 && (date ?? 0) % 60 <= 58);
  for (const [minute, answers] of Map.groupBy(inside, ({ date }) => Math.floor((date ?? 0) / 60))) {
    const guesses = answers.filter(({ status }) => status === 401).length;
    const name = `address ${user}, minute ${minute}: ${guesses} guesses`;
    if (guesses > threshold) violations.add('no address guesses above the threshold', name);
    // One that timed out may have been counted all the same.
    const tried = sent.filter((record) => isUncounted(record) || isGuessOfMinute(record, minute)).length;
    const gate = answers.findIndex(({ status }) => status === 429);
    if (gate >= 0 && tried < threshold) violations.add('a gate stays open below the threshold', name);
    const through = gate < 0 ? -1 : answers.slice(gate).findIndex(({ status }) => status !== 429);
    if (through >= 0) violations.add('a gate stays shut until its minute ends', name);
  }
}

/** With the last second of the minute before: the Date of an answer may be the second just past. */
const isGuessOfMinute = ({ status, date }: AnswerRecord, minute: number): boolean =>
  status === 401 && date !== null && date >= minute * 60 - 1 && date < (minute + 1) * 60;
