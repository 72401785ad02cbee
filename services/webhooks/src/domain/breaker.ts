/** Holds deliveries to a receiver that is down: they stay pending and no attempt is spent on them. */
export type Breaker = {
  /** How often it has opened in a row: 0 is closed. */
  level: number;
  /** Open until then; afterwards one probe at a time. */
  until: Date | null;
  windowStartedAt: Date | null;
  windowAttempts: number;
  windowFailures: number;
};

export const closedBreaker: Breaker = {
  level: 0,
  until: null,
  windowStartedAt: null,
  windowAttempts: 0,
  windowFailures: 0,
};

export type BreakerRules = {
  consecutiveFailures: number;
  windowMs: number;
  windowMinAttempts: number;
  windowFailureShare: number;
  openMs: number;
  openMaxMs: number;
};

export type BreakerGate = 'closed' | 'open' | 'half_open';

export function breakerGate(breaker: Pick<Breaker, 'level' | 'until'>, at: Date): BreakerGate {
  if (breaker.level === 0 || breaker.until === null) return 'closed';
  return breaker.until > at ? 'open' : 'half_open';
}

/** The breaker after one more attempt. Success closes it; what ends while it is open changes nothing. */
export function recordInBreaker(
  state: { breaker: Breaker; consecutiveFailures: number },
  { at, ok }: { at: Date; ok: boolean },
  rules: BreakerRules,
): Breaker {
  const { breaker } = state;
  const gate = breakerGate(breaker, at);
  if (ok && gate !== 'closed') return { ...emptyWindow(at), level: 0, until: null };
  if (gate === 'open') return breaker;
  if (gate === 'half_open') return opened(breaker.level, at, rules);
  const fresh =
    breaker.windowStartedAt === null || at.getTime() - breaker.windowStartedAt.getTime() >= rules.windowMs;
  const counted = fresh ? emptyWindow(at) : breaker;
  const windowAttempts = counted.windowAttempts + 1;
  const windowFailures = counted.windowFailures + (ok ? 0 : 1);
  const tooMany =
    windowAttempts >= rules.windowMinAttempts && windowFailures >= windowAttempts * rules.windowFailureShare;
  if (!ok && (tooMany || state.consecutiveFailures + 1 >= rules.consecutiveFailures))
    return opened(0, at, rules);
  return { level: 0, until: null, windowStartedAt: counted.windowStartedAt, windowAttempts, windowFailures };
}

function opened(level: number, at: Date, rules: BreakerRules): Breaker {
  const openMs = Math.min(rules.openMs * 2 ** level, rules.openMaxMs);
  return { ...emptyWindow(at), level: level + 1, until: new Date(at.getTime() + openMs) };
}

function emptyWindow(at: Date): Pick<Breaker, 'windowStartedAt' | 'windowAttempts' | 'windowFailures'> {
  return { windowStartedAt: at, windowAttempts: 0, windowFailures: 0 };
}
