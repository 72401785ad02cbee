import type { Seen } from '../harness/client.ts';

/** A write repeated under one idempotency key until it was answered. */
export type Write = { mark: string; answered: boolean };

export type Outage = {
  history: readonly Seen[];
  /** When the store went and when it was back, on the clock of the history. */
  downAt: number;
  healedAt: number;
  idempotencyLeaseMs: number;
  writes: readonly Write[];
  /** What the tables hold of the writes afterwards, one entry a row. */
  stored: readonly string[];
};

const recoveryMs = 5_000;

const served = (seen: Seen): boolean => seen.status >= 200 && seen.status < 300;
const refusedForNow = (seen: Seen): boolean => seen.status === 503 && Number(seen.retryAfter) >= 1;

/** Only whole answers; 503 says when to come again, 409 that the service may still be at work; all well within five seconds; every write once. */
export function checkOutage(outage: Outage): string[] {
  return [...checkAnswers(outage), ...checkWrites(outage)];
}

/** A retry while the try before it, which was given up, may still be at work. */
function waitsForItsOwnTry(seen: Seen, { history, idempotencyLeaseMs }: Outage): boolean {
  return (
    seen.code === 'idempotency_key_in_flight' &&
    seen.idempotencyKey !== undefined &&
    history.some(
      (other) =>
        other.idempotencyKey === seen.idempotencyKey &&
        refusedForNow(other) &&
        other.endedAt <= seen.startedAt &&
        seen.startedAt < other.endedAt + idempotencyLeaseMs,
    )
  );
}

function checkAnswers(outage: Outage): string[] {
  const { history, downAt, healedAt } = outage;
  const at = (ms: number): string => `${((ms - downAt) / 1_000).toFixed(1)} s`;
  return history
    .filter((seen) => !served(seen))
    .flatMap((seen) => {
      const { name, status, code, retryAfter, startedAt, endedAt } = seen;
      if (!refusedForNow(seen) && !waitsForItsOwnTry(seen, outage)) {
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
