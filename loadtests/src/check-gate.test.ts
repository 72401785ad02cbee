import { describe, expect, test } from '@jest/globals';
import { checkGate } from './check-gate.ts';
import type { AnswerRecord } from './record.ts';
import { createViolations } from './violations.ts';

const edge = 1_800_000_000;

/** A guess each second; the third and all later ones of the minute are gated. */
function attempt(nth: number, over: Partial<AnswerRecord> = {}): AnswerRecord {
  const gated = nth > 2;
  const date = edge - 55 + nth;
  const window = gated ? { limit: 2, remaining: 0, reset: edge, retryAfter: edge - date } : {};
  return {
    phase: 'guessing',
    key: -1,
    gateway: 0,
    user: 1,
    startMs: date * 1_000,
    endMs: date * 1_000 + 5,
    durationMs: 5,
    status: gated ? 429 : 401,
    code: gated ? 'rate_limited' : 'invalid_api_key',
    date,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    ...window,
    ...over,
  };
}

const rulesBroken = (change: (record: AnswerRecord, index: number) => AnswerRecord): string[] => {
  const violations = createViolations();
  checkGate([1, 2, 3, 4].map((nth) => attempt(nth)).map(change), 2, violations);
  return violations.list().map(({ rule }) => rule);
};

test('a gate that works is found to', () => {
  expect(rulesBroken((record) => record)).toEqual([]);
});

describe('planted violations', () => {
  const open = { status: 401, limit: null, remaining: null, reset: null, retryAfter: null };
  test.each<[string, number, Partial<AnswerRecord>, string]>([
    ['a guess let through', 2, open, 'no address guesses above the threshold'],
    [
      'a gate that opens again',
      3,
      { ...open, status: 200, key: 0 },
      'a gate stays shut until its minute ends',
    ],
    ['a guessed key that works', 0, { status: 200 }, 'no guessed key works'],
    ['a good key refused', 0, { key: 0 }, 'a good key is no guess'],
    ["the key's window", 2, { limit: 120 }, "a gated answer describes the address's allowance"],
    ['a late Retry-After', 2, { retryAfter: 60 }, 'Retry-After leads to Reset, to the second'],
    [
      'a gate that shuts too early',
      1,
      { status: 429, limit: 2, remaining: 0, reset: edge, retryAfter: 53 },
      'a gate stays open below the threshold',
    ],
    ['an honest address gated', 2, { phase: 'honest' }, 'who presents good keys alone is never refused'],
  ])('%s', (_name, index, over, rule) => {
    expect(rulesBroken((record, at) => (at === index ? { ...record, ...over } : record))).toContain(rule);
  });
});
