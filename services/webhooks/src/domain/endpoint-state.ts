import {
  type CircuitBreaker,
  type CircuitBreakerRules,
  closedCircuitBreaker,
  recordInCircuitBreaker,
} from './circuit-breaker.ts';

export type EndpointStatus = 'pending_verification' | 'active' | 'failing' | 'disabled';

export type EndpointState = {
  status: EndpointStatus;
  verifiedAt: Date | null;
  consecutiveFailures: number;
  firstFailureAt: Date | null;
  lastFailureAt: Date | null;
  lastSuccessAt: Date | null;
  breaker: CircuitBreaker;
};

export type EndpointRules = {
  /** An endpoint becomes failing after only failures for this long, and at least `failingMinFailures` of them. */
  failingAfterMs: number;
  failingMinFailures: number;
  breaker: CircuitBreakerRules;
};

/** An attempt with a known outcome. `gone` is response 410. */
export type EndpointAttempt = { at: Date; ok: boolean; isPing: boolean; gone: boolean };

/** Returns the state of an endpoint after an attempt. */
export function nextEndpointState(
  state: EndpointState,
  attempt: EndpointAttempt,
  rules: EndpointRules,
): EndpointState {
  const breaker = recordInCircuitBreaker(state, attempt, rules.breaker);
  return attempt.ok ? afterSuccess(state, attempt, breaker) : afterFailure(state, attempt, rules, breaker);
}

function afterSuccess(
  state: EndpointState,
  { at, isPing }: EndpointAttempt,
  breaker: CircuitBreaker,
): EndpointState {
  // Only a successful ping verifies an endpoint. A successful event does not end `failing`.
  const isVerified = isPing && (state.status === 'pending_verification' || state.status === 'failing');
  return {
    status: isVerified ? 'active' : state.status,
    verifiedAt: isVerified ? (state.verifiedAt ?? at) : state.verifiedAt,
    consecutiveFailures: 0,
    firstFailureAt: null,
    lastFailureAt: state.lastFailureAt,
    lastSuccessAt: at,
    breaker,
  };
}

function afterFailure(
  state: EndpointState,
  { at, gone }: EndpointAttempt,
  rules: EndpointRules,
  breaker: CircuitBreaker,
): EndpointState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const firstFailureAt = state.firstFailureAt ?? at;
  const exceededFailureWindow =
    consecutiveFailures >= rules.failingMinFailures &&
    at.getTime() - firstFailureAt.getTime() >= rules.failingAfterMs;
  return {
    ...state,
    status: state.status === 'active' && (gone || exceededFailureWindow) ? 'failing' : state.status,
    consecutiveFailures,
    firstFailureAt,
    lastFailureAt: at,
    breaker,
  };
}

/** Resets the state after a new URL or the operator's `enable`. Earlier attempts no longer count. */
export function toUnverified(state: EndpointState): EndpointState {
  return {
    ...state,
    status: 'pending_verification',
    consecutiveFailures: 0,
    firstFailureAt: null,
    breaker: closedCircuitBreaker,
  };
}

export const newEndpointState: EndpointState = {
  status: 'pending_verification',
  verifiedAt: null,
  consecutiveFailures: 0,
  firstFailureAt: null,
  lastFailureAt: null,
  lastSuccessAt: null,
  breaker: closedCircuitBreaker,
};
