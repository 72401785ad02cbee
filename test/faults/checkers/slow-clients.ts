import type { Observation } from '../harness/client.ts';

export type SlowClient = {
  kind: 'idle' | 'headers' | 'body';
  openedAt: number;
  closedAt: number | null;
  received: string;
};

/** The deadline for a body and for headers is ten seconds. The rest is slack for a busy machine. */
const latestMs = 20_000;
const earliestMs = 8_000;
const slowMs = 3_000;

/** Checks that a late body is closed without a byte, and that other clients are served in time. */
export function checkSlowClients(
  clients: readonly SlowClient[],
  history: readonly Observation[],
  now: number,
): string[] {
  const violations = clients.flatMap(({ kind, openedAt, closedAt, received }) => {
    const openMs = (closedAt ?? now) - openedAt;
    if (kind === 'body' && received !== '') return [`a late body got a response: ${received.slice(0, 60)}`];
    if (kind === 'body' && closedAt !== null && openMs < earliestMs)
      return [`a body was closed after only ${openMs} ms`];
    if (kind !== 'idle' && closedAt === null && openMs > latestMs)
      return [`slow ${kind} stayed open for ${openMs} ms`];
    return [];
  });
  for (const { name, status, code, startedAt, endedAt } of history) {
    if (status !== 200) violations.push(`concurrent ${name}: ${status} ${code ?? ''}`);
    else if (endedAt - startedAt > slowMs)
      violations.push(`concurrent ${name} took ${endedAt - startedAt} ms`);
  }
  if (history.length === 0) violations.push('no concurrent request was served');
  return [...new Set(violations)];
}
