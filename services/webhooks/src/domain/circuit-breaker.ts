import { backoffMs } from '@bv/resilience';

/** Stops attempts at a receiver that is down. Its deliveries stay pending and use up no attempt. */
export type CircuitBreaker = {
  /** How many times it has opened in a row. 0 means closed. */
  level: number;
  /** Open until this time, then half-open: one probe at a time. */
  until: Date | null;
  windowStartedAt: Date | null;
  windowAttempts: number;
  windowFailures: number;
};

export const closedCircuitBreaker: CircuitBreaker = {
  level: 0,
  until: null,
  windowStartedAt: null,
  windowAttempts: 0,
  windowFailures: 0,
};

export type CircuitBreakerRules = {
  consecutiveFailures: number;
  windowMs: number;
  windowMinAttempts: number;
  windowFailureShare: number;
  openMs: number;
  openMaxMs: number;
};

export type CircuitBreakerState = 'closed' | 'open' | 'half_open';

export function circuitBreakerState(
  breaker: Pick<CircuitBreaker, 'level' | 'until'>,
  at: Date,
): CircuitBreakerState {
  if (breaker.level === 0 || breaker.until === null) return 'closed';
  return breaker.until > at ? 'open' : 'half_open';
}

/** Returns the breaker after one more attempt. Success closes it. A failure while it is open changes nothing. */
export function recordInCircuitBreaker(
  state: { breaker: CircuitBreaker; consecutiveFailures: number },
  { at, ok }: { at: Date; ok: boolean },
  rules: CircuitBreakerRules,
): CircuitBreaker {
  const { breaker } = state;
  const breakerState = circuitBreakerState(breaker, at);
  if (ok && breakerState !== 'closed') return { ...emptyWindow(at), level: 0, until: null };
  if (breakerState === 'open') return breaker;
  if (breakerState === 'half_open') return open(breaker.level, at, rules);
  const isNewWindow =
    breaker.windowStartedAt === null || at.getTime() - breaker.windowStartedAt.getTime() >= rules.windowMs;
  const window = isNewWindow ? emptyWindow(at) : breaker;
  const windowAttempts = window.windowAttempts + 1;
  const windowFailures = window.windowFailures + (ok ? 0 : 1);
  const isShareExceeded =
    windowAttempts >= rules.windowMinAttempts && windowFailures >= windowAttempts * rules.windowFailureShare;
  if (!ok && (isShareExceeded || state.consecutiveFailures + 1 >= rules.consecutiveFailures))
    return open(0, at, rules);
  return { level: 0, until: null, windowStartedAt: window.windowStartedAt, windowAttempts, windowFailures };
}

function open(level: number, at: Date, rules: CircuitBreakerRules): CircuitBreaker {
  const openMs = backoffMs({ baseMs: rules.openMs, maxMs: rules.openMaxMs }, level);
  return { ...emptyWindow(at), level: level + 1, until: new Date(at.getTime() + openMs) };
}

function emptyWindow(
  at: Date,
): Pick<CircuitBreaker, 'windowStartedAt' | 'windowAttempts' | 'windowFailures'> {
  return { windowStartedAt: at, windowAttempts: 0, windowFailures: 0 };
}
