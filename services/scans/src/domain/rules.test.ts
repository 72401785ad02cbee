import { describe, expect, test } from '@jest/globals';
import { monthEnd, secondOfDay, slotSecond, toUtcDay, toUtcMonth } from './calendar.ts';
import { chooseCharge, remainingScans } from './charge.ts';
import { nextStartMs, startsAllowed } from './rate-bucket.ts';
import { retryDelayMs } from './retry.ts';

describe('charge', () => {
  test.each([
    [{ used: 0, credits: 0 }, null, 'none'],
    [{ used: 9, credits: 5 }, 10, 'allowance'],
    [{ used: 10, credits: 5 }, 10, 'credit'],
    [{ used: 10, credits: 0 }, 10, null],
    [{ used: 0, credits: 0 }, 0, null],
    [{ used: 12, credits: 1 }, 10, 'credit'],
  ] as const)('%j under a limit of %j is charged to %j', (allowance, limit, expected) => {
    expect(chooseCharge(allowance, limit)).toBe(expected);
  });

  test('a limit lowered below the used scans leaves 0', () => {
    expect([remainingScans(3, 10), remainingScans(12, 10), remainingScans(3, null)]).toEqual([7, 0, null]);
  });
});

describe('calendar', () => {
  test('days and months are UTC, and a month ends when the next one starts', () => {
    const lastMoment = new Date('2026-12-31T23:59:59.999Z');
    expect([toUtcDay(lastMoment), toUtcMonth(lastMoment)]).toEqual(['2026-12-31', '2026-12-01']);
    expect(monthEnd('2026-12-01')).toBe('2027-01-01T00:00:00.000Z');
    expect(monthEnd('2026-02-01')).toBe('2026-03-01T00:00:00.000Z');
  });
});

describe('schedule slot', () => {
  test('is stable, spread over the day, and never in its last hour', () => {
    const slots = Array.from({ length: 5_000 }, (_, index) => slotSecond(`brand-${index}`));
    expect(slotSecond('brand-7')).toBe(slots[7]);
    expect(Math.max(...slots)).toBeLessThan(82_800);
    const hours = Map.groupBy(slots, (slot) => Math.floor(slot / 3_600));
    expect(hours.size).toBe(23);
    for (const inHour of hours.values()) expect(inHour.length).toBeGreaterThan(140);
  });

  test('second of the UTC day', () => {
    expect(secondOfDay(new Date('2026-11-20T23:59:59.900Z'))).toBe(86_399);
  });
});

describe('retry delay', () => {
  const policy = { maxAttempts: 4, baseMs: 1_000, maxMs: 60_000 };
  const failed = (attempts: number, retryAfterSeconds: number | null = null) => ({
    attempts,
    retryAfterSeconds,
  });

  test('doubles, half of it random, up to the maximum', () => {
    expect([1, 2, 3].map((attempts) => retryDelayMs(policy, failed(attempts), 0))).toEqual([
      500, 1_000, 2_000,
    ]);
    expect([1, 2, 3].map((attempts) => retryDelayMs(policy, failed(attempts), 1))).toEqual([
      1_000, 2_000, 4_000,
    ]);
    expect(retryDelayMs(policy, failed(20), 1)).toBe(60_000);
  });

  test('is at least Retry-After, and at most what a scan can wait', () => {
    expect(retryDelayMs(policy, failed(1, 30), 0)).toBe(30_000);
    expect(retryDelayMs(policy, failed(1, 1), 1)).toBeGreaterThanOrEqual(1_000);
    expect(retryDelayMs(policy, failed(1, 86_400), 1)).toBeLessThanOrEqual(660_000);
  });
});

describe('rate bucket', () => {
  test('starts nothing before its next start; without a rate it starts up to the limit', () => {
    expect(startsAllowed({ idleMs: -1, perMinute: 0, limit: 8 })).toBe(0);
    expect(startsAllowed({ idleMs: 0, perMinute: 0, limit: 8 })).toBe(8);
  });

  test('over a long time starts no more than its rate, at any poll interval', () => {
    const perMinute = 90;
    let nextAt = 0;
    let started = 0;
    for (let now = 0; now < 60_000; now += 50 + ((now * 7) % 400)) {
      const idleMs = now - nextAt;
      const starts = startsAllowed({ idleMs, perMinute, limit: 100 });
      if (starts === 0) continue;
      started += starts;
      nextAt = now + nextStartMs({ idleMs, perMinute }, starts);
    }
    expect(started).toBeLessThanOrEqual(perMinute + 2);
    expect(started).toBeGreaterThanOrEqual(perMinute - 2);
  });
});
