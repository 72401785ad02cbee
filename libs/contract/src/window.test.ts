import { describe, expect, test } from '@jest/globals';
import { ApiError, resolveComparedWindows } from './index.ts';

const today = '2026-11-21';
const resolve = (sent: Parameters<typeof resolveComparedWindows>[0], day = today): unknown => {
  try {
    return resolveComparedWindows(sent, day);
  } catch (error) {
    return error instanceof ApiError ? error.details : error;
  }
};
const [nov1, nov7] = ['2026-11-01', '2026-11-07'];

describe('compared windows', () => {
  test('b is by default the last 7 days with today, a the 7 days before b', () => {
    const b = { from: '2026-11-15', to: '2026-11-21' };
    expect(resolve({})).toEqual({ a: { from: '2026-11-08', to: '2026-11-14' }, b });
    expect(resolve({ from_a: nov1, to_a: nov7 })).toEqual({ a: { from: nov1, to: nov7 }, b });
    expect(resolve({ from_b: nov1, to_b: nov7 })).toEqual({
      a: { from: '2026-10-25', to: '2026-10-31' },
      b: { from: nov1, to: nov7 },
    });
  });

  test('a window has at most 92 days, and one day at least', () => {
    const b = { from_b: nov1, to_b: nov1 };
    expect(resolve({ ...b, from_a: '2026-08-01', to_a: '2026-10-31' })).toMatchObject({ b: { from: nov1 } });
    const tooWide = [{ path: 'from_a', code: 'window_too_wide', message: expect.any(String) }];
    expect(resolve({ ...b, from_a: '2026-07-31', to_a: '2026-10-31' })).toEqual(tooWide);
  });

  test.each([
    [{ from_a: nov7, to_a: nov1 }, 'from_a', 'window_inverted'],
    [{ from_b: nov7, to_b: nov1 }, 'from_b', 'window_inverted'],
    [{ from_a: nov1, to_a: nov7, from_b: nov7, to_b: nov7 }, 'from_b', 'windows_overlap'],
    [{ from_a: nov7, to_a: nov7, from_b: nov1, to_b: nov7 }, 'from_b', 'windows_overlap'],
    [{ from_a: '2026-02-30', to_a: nov1 }, 'from_a', 'invalid_date'],
    [{ from_b: nov1, to_b: '2026-11-31' }, 'to_b', 'invalid_date'],
  ])('%j is refused: %s %s', (sent, path, code) => {
    expect(resolve(sent)).toEqual([{ path, code, message: expect.any(String) }]);
  });

  test('no window begins before the year 1', () => {
    expect(resolve({ from_b: '0001-01-03', to_b: '0001-01-05' })).toEqual({
      a: { from: '0001-01-01', to: '0001-01-02' },
      b: { from: '0001-01-03', to: '0001-01-05' },
    });
    expect(resolve({ from_b: '0001-01-01', to_b: '0001-01-05' })).toMatchObject([
      { code: 'windows_overlap' },
    ]);
  });
});
