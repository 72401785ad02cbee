import { describe, expect, test } from '@jest/globals';
import { checkWrites } from './check-writes.ts';
import type { ResponseRecord } from './record.ts';
import { createViolations } from './violations.ts';

function response(
  id: string,
  created: string | null,
  over: Partial<ResponseRecord> & { replayed?: boolean; body?: string } = {},
) {
  const { replayed = true, body = created ?? 'refused', ...rest } = over;
  const base = { key: 0, gateway: 0, user: 1, startMs: 0, endMs: 1, durationMs: 1, date: 0 };
  const window = { limit: 9, remaining: 1, reset: 60, retryAfter: null };
  const status = created === null ? 409 : 201;
  const code = created === null ? 'idempotency_key_in_flight' : null;
  const write = { id, replayed, created, body };
  const record: ResponseRecord = { ...base, ...window, phase: 'at once', status, code, write, ...rest };
  return record;
}

const right = (): ResponseRecord[] => [
  response('a', '1', { replayed: false }),
  response('a', null, { replayed: false }),
  response('a', '1'),
  response('a', '1', { phase: 'afterwards' }),
  response('b', '2', { replayed: false }),
];
const findBrokenRules = (records: ResponseRecord[]): string[] => {
  const violations = createViolations();
  checkWrites(records, violations);
  return violations.list().map(({ rule }) => rule);
};

test('writes that ran once pass', () => {
  expect(findBrokenRules(right())).toEqual([]);
});

describe('planted violations', () => {
  test.each<[string, ResponseRecord, string]>([
    ['a second resource', response('a', '3'), 'a write happens once'],
    ['another body', response('a', '1', { body: 'else' }), 'a replay equals the original response'],
    ['a second original', response('a', '1', { replayed: false }), 'one response is the original'],
    [
      'the same resource for another write',
      response('c', '2', { replayed: false }),
      'writes with two keys create two resources',
    ],
    [
      'still in flight after the response',
      response('a', null, { phase: 'afterwards' }),
      'a duplicate is replayed or gets idempotency_key_in_flight',
    ],
    [
      'another refusal',
      response('a', null, { code: 'conflict' }),
      'a duplicate is replayed or gets idempotency_key_in_flight',
    ],
  ])('%s', (_name, planted, rule) => {
    expect(findBrokenRules([...right(), planted])).toContain(rule);
  });
});
