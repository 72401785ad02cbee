import { describe, expect, test } from '@jest/globals';
import { checkLimiter } from './check-limiter.ts';
import type { ResponseRecord, RunData } from './record.ts';
import { scenarios } from './scenarios.ts';
import { createViolations } from './violations.ts';

const edge = 1_800_000_000;
const keys = [{ key: 'secret', perMinute: 3, phase: 'above' }];

/** The n-th request of a window. Requests are sequential, one per second. */
function response(nth: number, over: Partial<ResponseRecord> = {}): ResponseRecord {
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

const findBrokenRules = (records: ResponseRecord[], phase = 'above'): string[] => {
  const violations = createViolations();
  checkLimiter(records, [{ ...keys[0]!, phase }], violations);
  return violations.list().map(({ rule }) => rule);
};
const threeSeconds = { durationMs: 3_100, date: edge - 53 };
const window = (): ResponseRecord[] => [1, 2, 3, 4, 5].map((nth) => response(nth));
const aMinuteLater = (record: ResponseRecord): ResponseRecord => ({
  ...record,
  startMs: record.startMs + 60_000,
  endMs: record.endMs + 60_000,
  date: (record.date ?? 0) + 60,
  reset: edge + 60,
});
const twoWindows = (): ResponseRecord[] => [...window(), ...window().map(aMinuteLater)];
const changed = (index: number, over: Partial<ResponseRecord>): ResponseRecord[] =>
  window().map((record, at) => (at === index ? { ...record, ...over } : record));

describe('a correct limiter', () => {
  test('passes, over a minute edge too', () => {
    const violations = createViolations();
    const figures = checkLimiter(twoWindows(), keys, violations);
    expect(violations.list()).toEqual([]);
    expect(figures).toEqual({ admitted: 6, refused: 4, windows: 2, exactRetryAfter: 4 });
  });

  test('responses out of order are no violation', () => {
    const [first, second, ...rest] = window();
    const slow = { ...first!, endMs: second!.endMs + 500 };
    expect(findBrokenRules([second!, slow, ...rest])).toEqual([]);
  });

  test('a second that begins between the count and the Date is no violation', () => {
    expect(findBrokenRules(changed(3, { retryAfter: 57 }))).toEqual([]);
  });
});

describe('planted violations', () => {
  test.each<[string, ResponseRecord[], string]>([
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
    ['one value of Remaining twice', changed(2, { remaining: 1 }), 'each value of Remaining occurs once'],
    ['a count that decreases', changed(2, { remaining: 2 }), 'Remaining never rises within a window'],
    ['a refusal with allowance left', changed(4, { remaining: 1 }), 'a refusal has Remaining 0'],
    [
      'Retry-After two seconds off',
      changed(3, { retryAfter: 54 }),
      'Retry-After leads to Reset, to the second',
    ],
    [
      'Retry-After too short for a response that took three seconds',
      changed(3, { ...threeSeconds, retryAfter: 50 }),
      'Retry-After leads to Reset, to the second',
    ],
    [
      'a window that ended before a request of three seconds was sent',
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
    [
      'a window that does not end with a minute',
      changed(0, { reset: edge + 7 }),
      'Reset is the end of a clock minute',
    ],
    ['the next minute already', changed(0, { reset: edge + 60 }), 'Reset is the end of the running minute'],
    ['no headers', changed(0, { reset: null }), 'every counted response has rate limit headers'],
    ['another code', changed(3, { code: 'quota_exceeded' }), 'a refusal has the code rate_limited'],
  ])('%s', (_name, records, rule) => {
    expect(findBrokenRules(records)).toContain(rule);
  });

  test('Reset and Retry-After of a slow response are from the time of counting', () => {
    expect(findBrokenRules(changed(3, { ...threeSeconds, date: edge - 53, retryAfter: 56 }))).toEqual([]);
    expect(findBrokenRules(changed(2, { ...threeSeconds, date: edge + 3 }))).toEqual([]);
  });

  test('a key below its allowance that is refused', () => {
    const records = window().map((record) => ({ ...record, phase: 'below' }));
    expect(findBrokenRules(records, 'below')).toEqual(['a key below its allowance is never refused']);
  });
});

describe('a run that tests too little', () => {
  const broken = (records: ResponseRecord[], gateways: number): string[] => {
    const violations = createViolations();
    const data = { keys, baseUrls: Array.from({ length: gateways }, () => 'http://127.0.0.1') } as RunData;
    scenarios.limiter.check(records, data, violations);
    return violations.list().map(({ rule }) => rule);
  };

  test('two windows, refusals and every gateway are enough', () => {
    expect(broken(twoWindows(), 2)).toEqual([]);
  });
  test('nothing refused, no minute edge, a gateway without requests, a Retry-After that is always a second off', () => {
    expect(
      broken(
        [1, 2, 3].map((nth) => response(nth)),
        2,
      ),
    ).toEqual(['the allowance is reached', 'a minute edge is crossed']);
    expect(broken(twoWindows(), 3)).toEqual(['every gateway gets requests']);
    const off = (record: ResponseRecord): ResponseRecord =>
      record.retryAfter === null ? record : { ...record, retryAfter: record.retryAfter + 1 };
    expect(broken(twoWindows().map(off), 2)).toEqual(['Retry-After is Reset minus Date']);
  });
});
