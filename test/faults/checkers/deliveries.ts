export type Behaviour = 'ok' | 'flapping' | 'refusing' | 'hanging' | 'dripping' | 'resetting' | 'redirecting';

export type Attempt = { startedAt: number; finishedAt: number | null; outcome: string };

/** One event for one endpoint, by the tables and by what its receiver got. */
export type Delivered = {
  name: string;
  behaviour: Behaviour;
  status: string;
  attempts: readonly Attempt[];
  /** Requests under the event's id, and those whose signature the endpoint's secret does not verify. */
  received: number;
  badSignatures: number;
};

const most = 10;
const inTheEnd: Record<Behaviour, string> = {
  ok: 'succeeded',
  flapping: 'succeeded',
  refusing: 'dead',
  hanging: 'dead',
  dripping: 'dead',
  resetting: 'dead',
  redirecting: 'dead',
};

/** Every event reaches whoever takes it, nobody else for ever, and never twice at a time. */
export function checkDelivered(delivered: readonly Delivered[], expected: number): string[] {
  const violations = delivered.length === expected ? [] : [`${delivered.length} deliveries, not ${expected}`];
  for (const one of delivered) {
    const say = (what: string): unknown => violations.push(`${one.name} (${one.behaviour}) ${what}`);
    const { status, attempts, received, behaviour } = one;
    const lost = attempts.filter(({ outcome }) => outcome === 'unknown').length;
    if (status !== inTheEnd[behaviour]) say(`is ${status} after ${attempts.length} attempts`);
    if (attempts.length > most) say(`had ${attempts.length} attempts`);
    if (status === 'dead' && attempts.length < most) say(`was given up after ${attempts.length} attempts`);
    if (received === 0) say('never arrived');
    if (received > attempts.length) say(`came ${received} times in ${attempts.length} attempts`);
    if (behaviour === 'ok' && received > 1 + lost) say(`came ${received} times and was taken the first time`);
    if (one.badSignatures > 0) say('was signed wrongly');
    if (overlap(attempts)) say('had two attempts at a time');
  }
  return violations;
}

const overlap = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({ startedAt }, index) => {
    const before = attempts[index - 1];
    return before !== undefined && startedAt < (before.finishedAt ?? Number.POSITIVE_INFINITY);
  });
