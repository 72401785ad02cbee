import { describe, expect, test } from '@jest/globals';
import { checkLimiter } from './check-limiter.ts';
import type { AnswerRecord, RunData } from './record.ts';
import { scenarios } from './scenarios.ts';
import { createViolations } from './violations.ts';

const edge = 1_800_000_000;
const keys = [{ key: 'secret', perMinute: 3, phase: 'above' }];

/** The n-th request of a window, sent and answered one after another, a second apart. */
function answer(nth: number, over: Partial<AnswerRecord> = {}): AnswerRecord {
  const refused = nth > 3;
  const startMs = (edge - 60 + nth) * 1_000;
  return {
    phase: 'above',
    key: 0,
    gateway: nth % 2,
    user: 1,
    startMs,
    endMs: startMs + 100,
    durationMs: 100,
    status: refused ? 429 : 200,
    code: refused ? 'rate_limited' : null,
    date: edge - 60 + nth,
    limit: 3,
    remaining: Math.max(0, 3 - nth),
    reset: edge,
    retryAfter: refused ? 60 - nth : null,
    ...over,
  };
}

const rulesBroken = (records: AnswerRecord[], phase = 'above'): string[] => {
  const violations = createViolations();
  checkLimiter(records, [{ ...keys[0]!, phase }], violations);
  return violations.list().map(({ rule }) => rule);
};
const threeSeconds = { durationMs: 3_100, date: edge - 53 };
const window = (): AnswerRecord[] => [1, 2, 3, 4, 5].map((nth) => answer(nth));
const aMinuteLater = (record: AnswerRecord): AnswerRecord => ({
  ...record,
  startMs: record.startMs + 60_000,
  endMs: record.endMs + 60_000,
  date: (record.date ?? 0) + 60,
  reset: edge + 60,
});
const twoWindows = (): AnswerRecord[] => [...window(), ...window().map(aMinuteLater)];
const changed = (index: number, over: Partial<AnswerRecord>): AnswerRecord[] =>
  window().map((record, at) => (at === index ? { ...record, ...over } : record));

describe('a limiter that keeps its word', () => {
  test('is found to, over a minute edge too', () => {
    const violations = createViolations();
    const figures = checkLimiter(twoWindows(), keys, violations);
    expect(violations.list()).toEqual([]);
    expect(figures).toEqual({ admitted: 6, refused: 4, windows: 2, exactRetryAfter: 4 });
  });

  test('answers that overtake one another are no violation', () => {
    const [first, second, ...rest] = window();
    const slow = { ...first!, endMs: second!.endMs + 500 };
    expect(rulesBroken([second!, slow, ...rest])).toEqual([]);
  });

  test('a second that begins between the count and the Date is no violation', () => {
    expect(rulesBroken(changed(3, { retryAfter: 57 }))).toEqual([]);
  });
});

describe('planted violations', () => {
  test.each<[string, AnswerRecord[], string]>([
    [
      'one admitted too many',
      changed(3, { status: 200, code: null, retryAfter: null }),
      'no key is admitted above its allowance',
    ],
    [
      'one refused too early',
      changed(2, { status: 429, code: 'rate_limited', retryAfter: 57 }),
      'nothing is refused while allowance is left',
    ],
    ['one place given twice', changed(2, { remaining: 1 }), 'each place of the allowance is given once'],
    ['a count that goes back', changed(2, { remaining: 2 }), 'Remaining never rises within a window'],
    ['a refusal that leaves some', changed(4, { remaining: 1 }), 'a refusal leaves nothing'],
    [
      'Retry-After two seconds off',
      changed(3, { retryAfter: 54 }),
      'Retry-After leads to Reset, to the second',
    ],
    [
      'Retry-After too short for an answer that took three seconds',
      changed(3, { ...threeSeconds, retryAfter: 50 }),
      'Retry-After leads to Reset, to the second',
    ],
    [
      'a window that was over before an answer of three seconds was asked for',
      changed(2, { ...threeSeconds, date: edge + 4 }),
      'Reset is the end of the running minute',
    ],
    [
      'a refusal without Retry-After',
      changed(3, { retryAfter: null }),
      'Retry-After leads to Reset, to the second',
    ],
    ['Retry-After on success', changed(0, { retryAfter: 5 }), 'only a refusal has Retry-After'],
    ["another key's allowance", changed(0, { limit: 4 }), 'Limit is the allowance of the key'],
    ['a window of its own', changed(0, { reset: edge + 7 }), 'Reset is the end of a clock minute'],
    ['the next minute already', changed(0, { reset: edge + 60 }), 'Reset is the end of the running minute'],
    ['no headers', changed(0, { reset: null }), 'every counted answer tells its window'],
    ['another code', changed(3, { code: 'quota_exceeded' }), 'a refusal says rate_limited'],
  ])('%s', (_name, records, rule) => {
    expect(rulesBroken(records)).toContain(rule);
  });

  test('of a slow answer window and wait are those of when it was counted', () => {
    expect(rulesBroken(changed(3, { ...threeSeconds, date: edge - 53, retryAfter: 56 }))).toEqual([]);
    expect(rulesBroken(changed(2, { ...threeSeconds, date: edge + 3 }))).toEqual([]);
  });

  test('a key below its allowance that is refused', () => {
    const records = window().map((record) => ({ ...record, phase: 'below' }));
    expect(rulesBroken(records, 'below')).toEqual(['a key below its allowance is never refused']);
  });
});

describe('a run that shows too little', () => {
  const broken = (records: AnswerRecord[], gateways: number): string[] => {
    const violations = createViolations();
    const data = { keys, baseUrls: Array.from({ length: gateways }, () => 'http://127.0.0.1') } as RunData;
    scenarios.limiter.check(records, data, violations);
    return violations.list().map(({ rule }) => rule);
  };

  test('two windows, refusals and every gateway are enough', () => {
    expect(broken(twoWindows(), 2)).toEqual([]);
  });
  test('nothing refused, no minute edge, a gateway left out, a wait that is always a second off', () => {
    expect(
      broken(
        [1, 2, 3].map((nth) => answer(nth)),
        2,
      ),
    ).toEqual(['the allowance is tried', 'a minute edge is crossed']);
    expect(broken(twoWindows(), 3)).toEqual(['every gateway is asked']);
    const off = (record: AnswerRecord): AnswerRecord =>
      record.retryAfter === null ? record : { ...record, retryAfter: record.retryAfter + 1 };
    expect(broken(twoWindows().map(off), 2)).toEqual(['Retry-After is Reset minus Date']);
  });
});
