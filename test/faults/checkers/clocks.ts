/** A response to a limited key from a gateway whose clock may be wrong. */
export type LimitedResponse = {
  atMs: number;
  status: number;
  code: string | null;
  reset: number;
  retryAfter: number | null;
};

const minuteMs = 60_000;
const slackMs = 2_500;

/** Checks that the clock of the counters decides the minute, and that all gateways share one allowance. */
export function checkAllowance(responses: readonly LimitedResponse[], allowance: number): string[] {
  const violations: string[] = [];
  const admitted = Map.groupBy(
    responses.filter(({ status }) => status === 200),
    ({ reset }) => reset,
  );
  for (const [reset, { length }] of admitted) {
    if (length > allowance)
      violations.push(`${length} of ${allowance} admitted in the window until ${reset}`);
  }
  for (const { atMs, status, code, reset, retryAfter } of responses) {
    if (status !== 200 && status !== 429) violations.push(`returned ${status} ${code}`);
    else {
      const leftMs = reset * 1_000 - atMs;
      const detail = `Reset is in ${(leftMs / 1_000).toFixed(1)} s, Retry-After ${retryAfter}`;
      if (reset % 60 !== 0 || leftMs < -slackMs || leftMs > minuteMs + slackMs) violations.push(detail);
      if (status === 429 && Math.abs((retryAfter ?? Infinity) * 1_000 - leftMs) > slackMs) {
        violations.push(detail);
      }
    }
  }
  if (!responses.some(({ status }) => status === 429)) violations.push('the allowance was never reached');
  return [...new Set(violations)];
}

/** Checks pages of a list whose second half was read after the clocks of its services jumped. */
export function checkPages(paged: readonly string[], all: readonly string[]): string[] {
  const isSame = paged.length === all.length && paged.every((row, index) => row === all[index]);
  return isSame && all.length > 1 ? [] : [`paging returned ${paged.length} rows, one page ${all.length}`];
}

export type WriteAttempt = { status: number; code: string | null; retryAfter: string | null };

/** Checks that a write is refused as unavailable while the clocks disagree, and runs once when they agree again. */
export function checkDisagreement(wrong: readonly WriteAttempt[], right: number, stored: number): string[] {
  const violations = wrong
    .filter((one) => one.status !== 503 || one.code !== 'api_unavailable' || one.retryAfter === null)
    .map(({ status, code }) => `while the clocks disagree: ${status} ${code ?? ''}`);
  if (right !== 201) violations.push(`the isSame key, with the clock set right: ${right}`);
  if (stored !== 1) violations.push(`stored ${stored} times`);
  return violations;
}
