/** An answer of a limited key, by a gateway whose clock may be wrong. */
export type Counted = {
  atMs: number;
  status: number;
  code: string | null;
  reset: number;
  retryAfter: number | null;
};

const minuteMs = 60_000;
const slackMs = 2_500;

/** One minute, that of the counter's own clock, and one allowance, whatever the gateways' clocks say. */
export function checkCounted(answers: readonly Counted[], allowance: number): string[] {
  const violations: string[] = [];
  const admitted = Map.groupBy(
    answers.filter(({ status }) => status === 200),
    ({ reset }) => reset,
  );
  for (const [reset, { length }] of admitted) {
    if (length > allowance)
      violations.push(`${length} of ${allowance} admitted in the window until ${reset}`);
  }
  for (const { atMs, status, code, reset, retryAfter } of answers) {
    if (status !== 200 && status !== 429) violations.push(`answered ${status} ${code}`);
    else {
      const leftMs = reset * 1_000 - atMs;
      const told = `Reset tells ${(leftMs / 1_000).toFixed(1)} s, Retry-After ${retryAfter}`;
      if (reset % 60 !== 0 || leftMs < -slackMs || leftMs > minuteMs + slackMs) violations.push(told);
      if (status === 429 && Math.abs((retryAfter ?? Infinity) * 1_000 - leftMs) > slackMs) {
        violations.push(told);
      }
    }
  }
  if (!answers.some(({ status }) => status === 429)) violations.push('the allowance was never reached');
  return [...new Set(violations)];
}

/** A walk whose second half was read long after, as its services see it. */
export function checkWalked(walked: readonly string[], all: readonly string[]): string[] {
  const same = walked.length === all.length && walked.every((row, index) => row === all[index]);
  return same && all.length > 1
    ? []
    : [`the walk gave ${walked.length} rows, at once they were ${all.length}`];
}

export type Attempted = { status: number; code: string | null; retryAfter: string | null };

/** Refused as unavailable while the clocks disagree, done once when they agree again. */
export function checkDisagreement(wrong: readonly Attempted[], right: number, stored: number): string[] {
  const violations = wrong
    .filter((one) => one.status !== 503 || one.code !== 'api_unavailable' || one.retryAfter === null)
    .map(({ status, code }) => `while the clocks disagree: ${status} ${code ?? ''}`);
  if (right !== 201) violations.push(`the same key, with the clock set right: ${right}`);
  if (stored !== 1) violations.push(`stored ${stored} times`);
  return violations;
}
