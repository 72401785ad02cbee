import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { scoredScan, type ScoredScan } from '../../test/scans.ts';
import { crossedDirection, evaluateThreshold, type ThresholdState } from './thresholds.ts';

const orgId = randomUUID();
const notEvaluated: ThresholdState = {
  partnerId: 'partner',
  metric: 'score',
  country: null,
  threshold: 50,
  value: null,
  runDate: null,
  isSuperseded: false,
};
type Day = { runDate: string; value: number | null; earlier?: number | null; scanOf?: string };

/** A scan whose newest day is `runDate`. `scanOf` is the scanned day. */
const scan = ({ runDate, value, earlier = null, scanOf = runDate }: Day): ScoredScan => ({
  ...scoredScan({ orgId, score: [earlier, value], runDate }),
  run_date: scanOf,
});
const D = { before: '2026-11-19', yesterday: '2026-11-20', today: '2026-11-21' } as const;

/** The event of each scan as `previous direction current`, and the finally stored value. */
function run(scans: ScoredScan[], state = notEvaluated): { events: (string | null)[]; value: number | null } {
  let stored = state;
  const events = scans.map((each) => {
    const result = evaluateThreshold(each, stored);
    stored = { ...stored, ...result?.evaluated };
    const crossing = result?.crossing ?? null;
    return crossing && `${crossing.previous} ${crossing.direction} ${crossing.current}`;
  });
  return { events, value: stored.value };
}

describe('crossedDirection', () => {
  test.each([
    [49.99, 50, 50, 'up'],
    [49.99, 49.99, 50, null],
    [50, 49.99, 50, 'down'],
    [50, 50, 50, null],
    [50, 60, 50, null],
    [60, 40, 50, 'down'],
    [40, 60, 50, 'up'],
    [0, 100, 0, null],
    [100, 0, 0, null],
    [0, 0.01, 0.01, 'up'],
  ])('%p to %p at %p is %p', (previous, current, at, expected) => {
    expect(crossedDirection(previous, current, at)).toBe(expected);
  });
});

describe('evaluateThreshold', () => {
  test('every change of side within one day is reported, so that an alert clears', () => {
    const scans = [100, 0, 100, 0].map((value) => scan({ runDate: D.today, value, earlier: 0 }));
    expect(run(scans).events).toEqual(['0 up 100', '100 down 0', '0 up 100', '100 down 0']);
  });
  test('a late scan of an earlier day does not report a crossing again', () => {
    const scans = [
      scan({ runDate: D.today, value: 100, earlier: 0 }),
      scan({ runDate: D.today, value: 100, earlier: 100, scanOf: D.yesterday }),
    ];
    expect(run(scans).events).toEqual(['0 up 100', null]);
  });
  test('a correction that moved the newest day is reported by the next scan, also a late one', () => {
    const scans = [
      scan({ runDate: D.today, value: 100, earlier: 0 }),
      scan({ runDate: D.today, value: 20, earlier: 0, scanOf: D.yesterday }),
    ];
    expect(run(scans).events).toEqual(['0 up 100', '100 down 20']);
  });
  test('a day without a value neither reports nor changes the side', () => {
    const scans = [
      scan({ runDate: D.before, value: 0 }),
      scan({ runDate: D.yesterday, value: null, earlier: 0 }),
      scan({ runDate: D.today, value: 100, earlier: 0 }),
    ];
    expect(run(scans).events).toEqual([null, null, '0 up 100']);
    expect(run(scans.slice(1)).events).toEqual([null, '0 up 100']);
    expect(run([scan({ runDate: D.today, value: null })])).toEqual({ events: [null], value: null });
  });
  test('the first evaluation compares with the latest earlier value, or only stores its own', () => {
    expect(run([scan({ runDate: D.today, value: 60, earlier: 40 })])).toEqual({
      events: ['40 up 60'],
      value: 60,
    });
    expect(run([scan({ runDate: D.today, value: 60, earlier: 55 })])).toEqual({ events: [null], value: 60 });
    expect(run([scan({ runDate: D.today, value: 60 })])).toEqual({ events: [null], value: 60 });
  });
  test('previous is the value of the last event or of the first evaluation, not of the day before', () => {
    const scans = [10, 40, 60, 90, 50, 49.99].map((value) => scan({ runDate: D.today, value }));
    expect(run(scans)).toEqual({
      events: [null, null, '10 up 60', null, null, '60 down 49.99'],
      value: 49.99,
    });
  });
  test('a scan of one market evaluates every series with a newest day, also for the first time', () => {
    const german = { ...notEvaluated, country: 'DE' };
    const moved = scoredScan({ orgId, countries: { DE: [0, 100] } });
    const otherMarket = { ...moved, series: moved.series.filter(({ country }) => country === null) };
    expect(run([otherMarket], german)).toEqual({ events: ['0 up 100'], value: 100 });
    expect(run([otherMarket], { ...german, value: 10 }).events).toEqual(['10 up 100']);
  });
  test('a scan with an older token and a series without a day change nothing', () => {
    const newer = { ...notEvaluated, value: 0, isSuperseded: true };
    expect(evaluateThreshold(scan({ runDate: D.today, value: 100 }), newer)).toBeUndefined();
    expect(
      evaluateThreshold(scan({ runDate: D.today, value: 100 }), { ...notEvaluated, country: 'FR' }),
    ).toBeUndefined();
  });
});
