import type { Observation } from '../harness/client.ts';

/** Checks that every request succeeded. */
export function checkRolling(history: readonly Observation[]): string[] {
  if (history.length < 100) return [`only ${history.length} requests were sent`];
  return history
    .filter(({ status }) => status < 200 || status >= 300)
    .map(
      ({ name, status, code, startedAt }) => `${name} at ${startedAt.toFixed(0)} ms: ${status} ${code ?? ''}`,
    );
}
