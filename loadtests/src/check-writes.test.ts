import { describe, expect, test } from '@jest/globals';
import { checkWrites } from './check-writes.ts';
import type { AnswerRecord } from './record.ts';
import { createViolations } from './violations.ts';

function answer(
  id: string,
  made: string | null,
  over: Partial<AnswerRecord> & { replayed?: boolean; body?: string } = {},
) {
  const { replayed = true, body = made ?? 'refused', ...rest } = over;
  const base = { key: 0, gateway: 0, user: 1, startMs: 0, endMs: 1, durationMs: 1, date: 0 };
  const window = { limit: 9, remaining: 1, reset: 60, retryAfter: null };
  const status = made === null ? 409 : 201;
  const code = made === null ? 'idempotency_key_in_flight' : null;
  const write = { id, replayed, made, body };
  const record: AnswerRecord = { ...base, ...window, phase: 'at once', status, code, write, ...rest };
  return record;
}

const right = (): AnswerRecord[] => [
  answer('a', '1', { replayed: false }),
  answer('a', null, { replayed: false }),
  answer('a', '1'),
  answer('a', '1', { phase: 'afterwards' }),
  answer('b', '2', { replayed: false }),
];
const rulesBroken = (records: AnswerRecord[]): string[] => {
  const violations = createViolations();
  checkWrites(records, violations);
  return violations.list().map(({ rule }) => rule);
};

test('writes that happened once are found to', () => {
  expect(rulesBroken(right())).toEqual([]);
});

describe('planted violations', () => {
  test.each<[string, AnswerRecord, string]>([
    ['a second thing', answer('a', '3'), 'a write happens once'],
    ['another body', answer('a', '1', { body: 'else' }), 'a replay is the answer it repeats'],
    ['a second original', answer('a', '1', { replayed: false }), 'one answer is the original'],
    [
      'the same thing for another write',
      answer('c', '2', { replayed: false }),
      'writes under two keys make two things',
    ],
    [
      'still in flight when it was answered',
      answer('a', null, { phase: 'afterwards' }),
      'a duplicate is replayed, or told that the first is under way',
    ],
    [
      'another refusal',
      answer('a', null, { code: 'conflict' }),
      'a duplicate is replayed, or told that the first is under way',
    ],
  ])('%s', (_name, planted, rule) => {
    expect(rulesBroken([...right(), planted])).toContain(rule);
  });
});
