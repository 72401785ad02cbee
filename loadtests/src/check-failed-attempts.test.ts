import { describe, expect, test } from '@jest/globals';
import { checkFailedAttempts } from './check-failed-attempts.ts';
import type { ResponseRecord } from './record.ts';
import { createViolations } from './violations.ts';

const edge = 1_800_000_000;

/** A guess each second. The third and later ones of the minute are blocked. */
function attempt(nth: number, over: Partial<ResponseRecord> = {}): ResponseRecord {
  const blocked = nth > 2;
  const date = edge - 55 + nth;
  const window = blocked ? { limit: 2, remaining: 0, reset: edge, retryAfter: edge - date } : {};
  return {
    phase: 'guessing',
    key: -1,
    gateway: 0,
    user: 1,
    startMs: date * 1_000,
    endMs: date * 1_000 + 5,
    durationMs: 5,
    status: blocked ? 429 : 401,
    code: blocked ? 'rate_limited' : 'invalid_api_key',
    date,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    ...window,
    ...over,
  };
}

const findBrokenRules = (change: (record: ResponseRecord, index: number) => ResponseRecord): string[] => {
  const violations = createViolations();
  checkFailedAttempts([1, 2, 3, 4].map((nth) => attempt(nth)).map(change), 2, violations);
  return violations.list().map(({ rule }) => rule);
};

test('a correct limiter passes', () => {
  expect(findBrokenRules((record) => record)).toEqual([]);
});

describe('planted violations', () => {
  const open = { status: 401, limit: null, remaining: null, reset: null, retryAfter: null };
  test.each<[string, number, Partial<ResponseRecord>, string]>([
    ['a guess above the threshold', 2, open, 'no address tries more keys than the threshold'],
    [
      'an address that is unblocked too early',
      3,
      { ...open, status: 200, key: 0 },
      'a blocked address stays blocked until its minute ends',
    ],
    ['a guessed key that is accepted', 0, { status: 200 }, 'no guessed key is accepted'],
    ['a valid key refused', 0, { key: 0 }, 'a valid key is never 401'],
    ["the key's window", 2, { limit: 120 }, "a refusal has the address's allowance"],
    ['a late Retry-After', 2, { retryAfter: 60 }, 'Retry-After leads to Reset, to the second'],
    [
      'an address that is blocked too early',
      1,
      { status: 429, limit: 2, remaining: 0, reset: edge, retryAfter: 53 },
      'no address is blocked below the threshold',
    ],
    [
      'an address with only valid keys blocked',
      2,
      { phase: 'honest' },
      'an address with only valid keys is never refused',
    ],
  ])('%s', (_name, index, over, rule) => {
    expect(findBrokenRules((record, at) => (at === index ? { ...record, ...over } : record))).toContain(rule);
  });
});
