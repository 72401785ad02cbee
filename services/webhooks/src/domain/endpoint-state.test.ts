import { describe, expect, test } from '@jest/globals';
import { breakerGate, closedBreaker } from './breaker.ts';
import {
  type EndpointRules,
  type EndpointState,
  newEndpoint,
  observe,
  unverified,
} from './endpoint-state.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const start = new Date('2026-11-01T00:00:00Z').getTime();
const rules: EndpointRules = {
  failingAfterMs: 5 * day,
  failingMinFailures: 10,
  breaker: {
    consecutiveFailures: 10,
    windowMs: 5 * minute,
    windowMinAttempts: 10,
    windowFailureShare: 0.7,
    openMs: 30_000,
    openMaxMs: 30 * minute,
  },
};

type Seen = { ok: boolean; isPing?: boolean; gone?: boolean; afterMs?: number };

/** The state after these observations, one after another. */
function after(state: EndpointState, ...seen: Seen[]): EndpointState {
  let time = Math.max(start, state.lastFailureAt?.getTime() ?? 0, state.lastSuccessAt?.getTime() ?? 0);
  return seen.reduce((current, { ok, isPing = false, gone = false, afterMs = 0 }) => {
    time += afterMs;
    return observe(current, { at: new Date(time), ok, isPing, gone }, rules);
  }, state);
}
const times = (count: number, seen: Seen): Seen[] => Array.from({ length: count }, () => seen);
// The breaker's window starts empty: the ping that verified is not counted in it.
const active = { ...after(newEndpoint, { ok: true, isPing: true }), breaker: closedBreaker };

describe('status', () => {
  test('a ping answered 2xx verifies', () => {
    expect(active).toMatchObject({ status: 'active', verifiedAt: new Date(start) });
    expect(after(newEndpoint, { ok: false, isPing: true }).status).toBe('pending_verification');
    expect(after(newEndpoint, { ok: true }).status).toBe('pending_verification');
  });
  test('failing takes five days of failures only and ten of them', () => {
    expect(after(active, ...times(10, { ok: false, afterMs: minute })).status).toBe('active');
    expect(after(active, ...times(9, { ok: false, afterMs: day })).status).toBe('active');
    expect(after(active, ...times(10, { ok: false, afterMs: day })).status).toBe('failing');
    const broken = [...times(9, { ok: false, afterMs: day }), { ok: true }, { ok: false, afterMs: day }];
    expect(after(active, ...broken).status).toBe('active');
  });
  test('410 makes an active endpoint failing at once, a pending one stays pending', () => {
    expect(after(active, { ok: false, gone: true }).status).toBe('failing');
    expect(after(newEndpoint, { ok: false, isPing: true, gone: true }).status).toBe('pending_verification');
  });
  test('only a ping ends failing', () => {
    const failing = after(active, { ok: false, gone: true });
    expect(after(failing, { ok: true })).toMatchObject({ status: 'failing', consecutiveFailures: 0 });
    expect(after(failing, { ok: true, isPing: true }).status).toBe('active');
  });
  test('disabled is left alone', () => {
    const disabled: EndpointState = { ...active, status: 'disabled' };
    expect(after(disabled, { ok: true, isPing: true }).status).toBe('disabled');
    expect(after(disabled, ...times(12, { ok: false, afterMs: day })).status).toBe('disabled');
  });
  test('a new URL starts over but remembers that the endpoint was verified once', () => {
    const changed = unverified(after(active, ...times(12, { ok: false })));
    expect(changed).toMatchObject({
      status: 'pending_verification',
      consecutiveFailures: 0,
      verifiedAt: new Date(start),
    });
    expect(changed.breaker.level).toBe(0);
  });
});

describe('breaker', () => {
  const gate = (state: EndpointState, afterMs: number) =>
    breakerGate(state.breaker, new Date((state.lastFailureAt?.getTime() ?? start) + afterMs));

  test('ten failures in a row open it for 30 s, then one probe may go', () => {
    expect(gate(after(active, ...times(9, { ok: false })), 0)).toBe('closed');
    const open = after(active, ...times(10, { ok: false }));
    expect([gate(open, 0), gate(open, 29_999), gate(open, 30_000)]).toEqual(['open', 'open', 'half_open']);
  });
  test('a failed probe doubles the time up to 30 minutes, a good one closes it', () => {
    let state = after(active, ...times(10, { ok: false }));
    for (const openMs of [1, 2, 4, 8, 16, 32, 60, 60].map((times30) => times30 * 30_000)) {
      expect([gate(state, openMs - 1), gate(state, openMs)]).toEqual(['open', 'half_open']);
      state = after(state, { ok: false, afterMs: openMs });
    }
    state = after(state, { ok: true, afterMs: 60 * minute });
    expect(gate(state, 0)).toBe('closed');
    expect(state.breaker.level).toBe(0);
  });
  test('attempts that end while it is open change nothing', () => {
    const open = after(active, ...times(10, { ok: false }));
    expect(after(open, ...times(5, { ok: false, afterMs: 10 })).breaker).toEqual(open.breaker);
  });
  test('seven of ten within five minutes open it too, spread wider they do not', () => {
    const mixed = [...times(3, { ok: true }), ...times(7, { ok: false })];
    expect(after(active, ...mixed).breaker.level).toBe(1);
    const wide = mixed.map((seen) => ({ ...seen, afterMs: minute }));
    expect(after(active, ...wide).breaker.level).toBe(0);
  });
});
