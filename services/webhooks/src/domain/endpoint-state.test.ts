import { describe, expect, test } from '@jest/globals';
import { circuitBreakerState, closedCircuitBreaker } from './circuit-breaker.ts';
import {
  type EndpointRules,
  type EndpointState,
  newEndpointState,
  nextEndpointState,
  toUnverified,
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

type Attempt = { ok: boolean; isPing?: boolean; gone?: boolean; afterMs?: number };

/** The state after these attempts, one after another. */
function after(state: EndpointState, ...attempts: Attempt[]): EndpointState {
  let time = Math.max(start, state.lastFailureAt?.getTime() ?? 0, state.lastSuccessAt?.getTime() ?? 0);
  return attempts.reduce((current, { ok, isPing = false, gone = false, afterMs = 0 }) => {
    time += afterMs;
    return nextEndpointState(current, { at: new Date(time), ok, isPing, gone }, rules);
  }, state);
}
const times = (count: number, attempt: Attempt): Attempt[] => Array.from({ length: count }, () => attempt);
// The window of the breaker starts empty: the verifying ping is not counted in it.
const active = { ...after(newEndpointState, { ok: true, isPing: true }), breaker: closedCircuitBreaker };

describe('status', () => {
  test('a ping with a 2xx response verifies', () => {
    expect(active).toMatchObject({ status: 'active', verifiedAt: new Date(start) });
    expect(after(newEndpointState, { ok: false, isPing: true }).status).toBe('pending_verification');
    expect(after(newEndpointState, { ok: true }).status).toBe('pending_verification');
  });
  test('an endpoint is failing after five days of only failures, at least ten', () => {
    expect(after(active, ...times(10, { ok: false, afterMs: minute })).status).toBe('active');
    expect(after(active, ...times(9, { ok: false, afterMs: day })).status).toBe('active');
    expect(after(active, ...times(10, { ok: false, afterMs: day })).status).toBe('failing');
    const interrupted = [...times(9, { ok: false, afterMs: day }), { ok: true }, { ok: false, afterMs: day }];
    expect(after(active, ...interrupted).status).toBe('active');
  });
  test('410 makes an active endpoint failing at once; a pending one stays pending', () => {
    expect(after(active, { ok: false, gone: true }).status).toBe('failing');
    expect(after(newEndpointState, { ok: false, isPing: true, gone: true }).status).toBe(
      'pending_verification',
    );
  });
  test('only a ping ends failing', () => {
    const failing = after(active, { ok: false, gone: true });
    expect(after(failing, { ok: true })).toMatchObject({ status: 'failing', consecutiveFailures: 0 });
    expect(after(failing, { ok: true, isPing: true }).status).toBe('active');
  });
  test('a disabled endpoint stays disabled', () => {
    const disabled: EndpointState = { ...active, status: 'disabled' };
    expect(after(disabled, { ok: true, isPing: true }).status).toBe('disabled');
    expect(after(disabled, ...times(12, { ok: false, afterMs: day })).status).toBe('disabled');
  });
  test('a new URL resets all but the time of the first verification', () => {
    const changed = toUnverified(after(active, ...times(12, { ok: false })));
    expect(changed).toMatchObject({
      status: 'pending_verification',
      consecutiveFailures: 0,
      verifiedAt: new Date(start),
    });
    expect(changed.breaker.level).toBe(0);
  });
});

describe('breaker', () => {
  const breakerState = (state: EndpointState, afterMs: number) =>
    circuitBreakerState(state.breaker, new Date((state.lastFailureAt?.getTime() ?? start) + afterMs));

  test('ten failures in a row open it for 30 s, then one probe is allowed', () => {
    expect(breakerState(after(active, ...times(9, { ok: false })), 0)).toBe('closed');
    const open = after(active, ...times(10, { ok: false }));
    expect([breakerState(open, 0), breakerState(open, 29_999), breakerState(open, 30_000)]).toEqual([
      'open',
      'open',
      'half_open',
    ]);
  });
  test('a failed probe doubles the time up to 30 minutes, a good one closes it', () => {
    let state = after(active, ...times(10, { ok: false }));
    for (const openMs of [1, 2, 4, 8, 16, 32, 60, 60].map((times30) => times30 * 30_000)) {
      expect([breakerState(state, openMs - 1), breakerState(state, openMs)]).toEqual(['open', 'half_open']);
      state = after(state, { ok: false, afterMs: openMs });
    }
    state = after(state, { ok: true, afterMs: 60 * minute });
    expect(breakerState(state, 0)).toBe('closed');
    expect(state.breaker.level).toBe(0);
  });
  test('attempts that end while it is open change nothing', () => {
    const open = after(active, ...times(10, { ok: false }));
    expect(after(open, ...times(5, { ok: false, afterMs: 10 })).breaker).toEqual(open.breaker);
  });
  test('seven failures of ten open it only within five minutes', () => {
    const mixed = [...times(3, { ok: true }), ...times(7, { ok: false })];
    expect(after(active, ...mixed).breaker.level).toBe(1);
    const wide = mixed.map((attempt) => ({ ...attempt, afterMs: minute }));
    expect(after(active, ...wide).breaker.level).toBe(0);
  });
});
