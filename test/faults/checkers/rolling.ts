import type { Seen } from '../harness/client.ts';

/** Every request answered and served: not refused, not cut off, not put off. */
export function checkRolling(history: readonly Seen[]): string[] {
  if (history.length < 100) return [`only ${history.length} requests were made`];
  return history
    .filter(({ status }) => status < 200 || status >= 300)
    .map(
      ({ name, status, code, startedAt }) => `${name} at ${startedAt.toFixed(0)} ms: ${status} ${code ?? ''}`,
    );
}
