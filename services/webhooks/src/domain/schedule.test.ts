import { describe, expect, test } from '@jest/globals';
import { nextAttempt, type Schedule } from './schedule.ts';

type Failure = Parameters<typeof nextAttempt>[1];

const second = 1000;
const schedule: Schedule = {
  delaysMs: [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
    (seconds) => seconds * second,
  ),
  jitter: 0.2,
  retryAfterMaxMs: 86_400 * second,
};
const at = new Date('2026-11-21T03:00:00Z');
const failure: Failure = {
  at,
  attempts: 1,
  isPing: false,
  retryAfterMs: null,
  gone: false,
  unknown: false,
};

function waitMs(change: Partial<Failure>, random = 0.5): number | 'dead' {
  const next = nextAttempt(schedule, { ...failure, ...change }, random);
  return next.status === 'dead' ? 'dead' : next.nextAttemptAt.getTime() - at.getTime();
}

describe('nextAttempt', () => {
  test('ten attempts over 75 hours and 35 minutes, then dead', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => waitMs({ attempts }));
    expect(waits).toEqual(schedule.delaysMs.slice(1));
    expect(waitMs({ attempts: 10 })).toBe('dead');
  });
  test('the first retry is exact, later ones have 20 % jitter', () => {
    expect([waitMs({ attempts: 1 }, 0), waitMs({ attempts: 1 }, 1)]).toEqual([5 * second, 5 * second]);
    expect([waitMs({ attempts: 2 }, 0), waitMs({ attempts: 2 }, 1)]).toEqual([240 * second, 360 * second]);
  });
  test('Retry-After lengthens a delay, up to a day, and never shortens it', () => {
    expect(waitMs({ retryAfterMs: 60 * second })).toBe(60 * second);
    expect(waitMs({ retryAfterMs: 1 })).toBe(5 * second);
    expect(waitMs({ retryAfterMs: 10 * 86_400 * second })).toBe(86_400 * second);
  });
  test('a ping is retried only after an unknown outcome, within the schedule', () => {
    expect(waitMs({ isPing: true })).toBe('dead');
    expect(waitMs({ isPing: true, unknown: true })).toBe(5 * second);
    expect(waitMs({ isPing: true, unknown: true, attempts: 10 })).toBe('dead');
  });
  test('410 ends a delivery', () => {
    expect(waitMs({ gone: true })).toBe('dead');
  });
});
