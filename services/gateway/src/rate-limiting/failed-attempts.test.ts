import { expect, test } from '@jest/globals';
import { createFailedAttempts } from './failed-attempts.ts';

const minuteMs = 60_000;

function createAt(startMs: number) {
  let nowMs = startMs;
  const attempts = createFailedAttempts({
    clock: { now: () => nowMs, sync: () => undefined },
    timeoutMs: 100,
    call: () => Promise.reject(new Error('unexpected call')),
  });
  return { attempts, setClock: (ms: number) => (nowMs = ms) };
}

test('a blocked address is blocked until its minute ends, others are not', () => {
  const { attempts, setClock } = createAt(10 * minuteMs + 1);
  expect(attempts.blocked('10.0.0.1')).toBeUndefined();
  attempts.block('10.0.0.1', 660);
  attempts.block('10.0.0.2', 660);
  expect(attempts.blocked('10.0.0.1')).toEqual({ nowMs: 10 * minuteMs + 1, resetSeconds: 660 });
  expect(attempts.blocked('10.0.0.3')).toBeUndefined();
  setClock(11 * minuteMs);
  expect(attempts.blocked('10.0.0.1')).toBeUndefined();
  attempts.block('10.0.0.2', 720);
  expect(attempts.blocked('10.0.0.1')).toBeUndefined();
  expect(attempts.blocked('10.0.0.2')).toBeDefined();
});

test('a clock that is set back ends a block that is in the future now', () => {
  const { attempts, setClock } = createAt(20 * minuteMs);
  attempts.block('10.0.0.1', 21 * 60);
  setClock(10 * minuteMs);
  expect(attempts.blocked('10.0.0.1')).toBeUndefined();
});
