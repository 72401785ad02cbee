import type { Seen } from '../harness/client.ts';

export type SlowClient = {
  kind: 'idle' | 'headers' | 'body';
  openedAt: number;
  closedAt: number | null;
  received: string;
};

/** Ten seconds for a body and for headers; the rest is for a busy machine. */
const latestMs = 20_000;
const earliestMs = 8_000;
const slowMs = 3_000;

/** A late body gets not one byte; nobody else notices anything. */
export function checkSlowClients(
  clients: readonly SlowClient[],
  history: readonly Seen[],
  now: number,
): string[] {
  const violations = clients.flatMap(({ kind, openedAt, closedAt, received }) => {
    const openMs = (closedAt ?? now) - openedAt;
    if (kind === 'body' && received !== '') return [`a late body was answered: ${received.slice(0, 60)}`];
    if (kind === 'body' && closedAt !== null && openMs < earliestMs)
      return [`a body was given only ${openMs} ms`];
    if (kind !== 'idle' && closedAt === null && openMs > latestMs)
      return [`dripping ${kind} are held for ${openMs} ms`];
    return [];
  });
  for (const { name, status, code, startedAt, endedAt } of history) {
    if (status !== 200) violations.push(`${name} beside them: ${status} ${code ?? ''}`);
    else if (endedAt - startedAt > slowMs)
      violations.push(`${name} beside them took ${endedAt - startedAt} ms`);
  }
  if (history.length === 0) violations.push('nothing was served beside them');
  return [...new Set(violations)];
}
