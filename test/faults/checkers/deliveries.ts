export type Behaviour = 'ok' | 'flapping' | 'refusing' | 'hanging' | 'dripping' | 'resetting' | 'redirecting';

export type Attempt = { startedAt: number; finishedAt: number | null; outcome: string };

/** One event for one endpoint: its rows in the tables and the requests that its receiver got. */
export type ObservedDelivery = {
  name: string;
  behaviour: Behaviour;
  status: string;
  attempts: readonly Attempt[];
  /** Requests with the id of the event, and those whose signature the endpoint's secret does not verify. */
  received: number;
  badSignatures: number;
};

const maxAttempts = 10;
const finalStatus: Record<Behaviour, string> = {
  ok: 'succeeded',
  flapping: 'succeeded',
  refusing: 'dead',
  hanging: 'dead',
  dripping: 'dead',
  resetting: 'dead',
  redirecting: 'dead',
};

/** Checks that receivers get each event, that attempts end after the maximum, and that attempts never overlap. */
export function checkDeliveryHistory(delivered: readonly ObservedDelivery[], expected: number): string[] {
  const violations =
    delivered.length === expected ? [] : [`${delivered.length} deliveries instead of ${expected}`];
  for (const one of delivered) {
    const report = (what: string): unknown => violations.push(`${one.name} (${one.behaviour}) ${what}`);
    const { status, attempts, received, behaviour } = one;
    const lost = attempts.filter(({ outcome }) => outcome === 'unknown').length;
    if (status !== finalStatus[behaviour]) report(`is ${status} after ${attempts.length} attempts`);
    if (attempts.length > maxAttempts) report(`had ${attempts.length} attempts`);
    if (status === 'dead' && attempts.length < maxAttempts)
      report(`is dead after only ${attempts.length} attempts`);
    if (received === 0) report('was never received');
    if (received > attempts.length) report(`was received ${received} times in ${attempts.length} attempts`);
    if (behaviour === 'ok' && received > 1 + lost)
      report(`was received ${received} times although the first response was a success`);
    if (one.badSignatures > 0) report('had an invalid signature');
    if (overlap(attempts)) report('had two attempts at the same time');
  }
  return violations;
}

const overlap = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({ startedAt }, index) => {
    const before = attempts[index - 1];
    return before !== undefined && startedAt < (before.finishedAt ?? Number.POSITIVE_INFINITY);
  });
