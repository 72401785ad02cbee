import { type Breaker, type BreakerRules, closedBreaker, recordInBreaker } from './breaker.ts';

export type EndpointStatus = 'pending_verification' | 'active' | 'failing' | 'disabled';

export type EndpointState = {
  status: EndpointStatus;
  verifiedAt: Date | null;
  consecutiveFailures: number;
  firstFailureAt: Date | null;
  lastFailureAt: Date | null;
  lastSuccessAt: Date | null;
  breaker: Breaker;
};

export type EndpointRules = {
  /** An endpoint is failing once only failures came for this long and at least this often. */
  failingAfterMs: number;
  failingMinFailures: number;
  breaker: BreakerRules;
};

/** What an attempt says about its endpoint. An attempt of unknown outcome says nothing. */
export type Observation = { at: Date; ok: boolean; isPing: boolean; gone: boolean };

export function observe(state: EndpointState, observation: Observation, rules: EndpointRules): EndpointState {
  const breaker = recordInBreaker(state, observation, rules.breaker);
  return observation.ok
    ? afterSuccess(state, observation, breaker)
    : afterFailure(state, observation, rules, breaker);
}

function afterSuccess(state: EndpointState, { at, isPing }: Observation, breaker: Breaker): EndpointState {
  // A ping is what verifies; an event that still got through does not end `failing`.
  const recovers = isPing && (state.status === 'pending_verification' || state.status === 'failing');
  return {
    status: recovers ? 'active' : state.status,
    verifiedAt: recovers ? (state.verifiedAt ?? at) : state.verifiedAt,
    consecutiveFailures: 0,
    firstFailureAt: null,
    lastFailureAt: state.lastFailureAt,
    lastSuccessAt: at,
    breaker,
  };
}

function afterFailure(
  state: EndpointState,
  { at, gone }: Observation,
  rules: EndpointRules,
  breaker: Breaker,
): EndpointState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const firstFailureAt = state.firstFailureAt ?? at;
  const worn =
    consecutiveFailures >= rules.failingMinFailures &&
    at.getTime() - firstFailureAt.getTime() >= rules.failingAfterMs;
  return {
    ...state,
    status: state.status === 'active' && (gone || worn) ? 'failing' : state.status,
    consecutiveFailures,
    firstFailureAt,
    lastFailureAt: at,
    breaker,
  };
}

/** A new URL, or the operator's `enable`: nothing that was learnt of the endpoint holds any more. */
export function unverified(state: EndpointState): EndpointState {
  return {
    ...state,
    status: 'pending_verification',
    consecutiveFailures: 0,
    firstFailureAt: null,
    breaker: closedBreaker,
  };
}

export const newEndpoint: EndpointState = {
  status: 'pending_verification',
  verifiedAt: null,
  consecutiveFailures: 0,
  firstFailureAt: null,
  lastFailureAt: null,
  lastSuccessAt: null,
  breaker: closedBreaker,
};
