import type { Seen } from '../harness/client.ts';

/** A write repeated under one idempotency key until it was answered. */
export type Write = { mark: string; answered: boolean };

export type Outage = {
  history: readonly Seen[];
  /** When the store went and when it was back, on the clock of the history. */
  downAt: number;
  healedAt: number;
  writes: readonly Write[];
  /** What the tables hold of the writes afterwards, one entry a row. */
  stored: readonly string[];
};

const recoveryMs = 5_000;

const served = (seen: Seen): boolean => seen.status >= 200 && seen.status < 300;
const refusedForNow = (seen: Seen): boolean => seen.status === 503 && Number(seen.retryAfter) >= 1;

/** Only whole answers; 503 says when to come again; all well within five seconds; every write once. */
export function checkOutage(outage: Outage): string[] {
  return [...checkAnswers(outage), ...checkWrites(outage)];
}

function checkAnswers({ history, downAt, healedAt }: Outage): string[] {
  const at = (ms: number): string => `${((ms - downAt) / 1_000).toFixed(1)} s`;
  return history
    .filter((seen) => !served(seen))
    .flatMap((seen) => {
      const { name, status, code, retryAfter, startedAt, endedAt } = seen;
      if (!refusedForNow(seen)) {
        return [`${name} at ${at(startedAt)}: ${status} ${code ?? ''}, Retry-After ${retryAfter}`];
      }
      if (startedAt > healedAt + recoveryMs) {
        return [
          `${name}: still ${status} ${code ?? ''} at ${at(startedAt)}, with the store back at ${at(healedAt)}`,
        ];
      }
      return endedAt < downAt ? [`${name}: ${status} ${code ?? ''} before anything was wrong`] : [];
    });
}

function checkWrites({ writes, stored }: Outage): string[] {
  const counts = Map.groupBy(stored, (mark) => mark);
  return writes.flatMap(({ mark, answered }) => {
    const rows = counts.get(mark)?.length ?? 0;
    if (rows > 1) return [`${mark} is stored ${rows} times`];
    return answered && rows === 0 ? [`${mark} was answered and is lost`] : [];
  });
}

/** How long after the healing somebody was still refused. */
export function recoveryOf({ history, healedAt }: Pick<Outage, 'history' | 'healedAt'>): number {
  const late = history.filter((seen) => !served(seen) && seen.endedAt > healedAt);
  return Math.max(0, ...late.map((seen) => seen.endedAt - healedAt));
}

export type Summary = { name: string; served: number; refused: Map<string, number>; slowestMs: number };

/** What each kind of request was answered while the store was away. */
export function summarise({
  history,
  downAt,
  healedAt,
}: Pick<Outage, 'history' | 'downAt' | 'healedAt'>): Summary[] {
  const during = history.filter((seen) => seen.startedAt >= downAt && seen.endedAt <= healedAt);
  return [...Map.groupBy(during, ({ name }) => name)].map(([name, all]) => {
    const refused = new Map<string, number>();
    for (const seen of all) {
      if (served(seen)) continue;
      const code = `${seen.status} ${seen.code ?? ''}`;
      refused.set(code, (refused.get(code) ?? 0) + 1);
    }
    const slowestMs = Math.max(...all.map((seen) => seen.endedAt - seen.startedAt));
    return { name, served: all.filter(served).length, refused, slowestMs };
  });
}
