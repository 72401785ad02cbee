import type { Observation } from '../harness/client.ts';

/** A write that was repeated under one idempotency key. `acknowledged`: the client got 201. */
export type Write = { mark: string; acknowledged: boolean };

export type Outage = {
  history: readonly Observation[];
  /** When the fault began and ended, on the clock of the history. */
  downAt: number;
  restoredAt: number;
  idempotencyLeaseMs: number;
  writes: readonly Write[];
  /** Marks of the writes in the tables afterwards, one entry per row. */
  stored: readonly string[];
  /** From then on, after the fault, every request must succeed; default 5 s. */
  recoveryMs?: number;
};

const isServed = (observation: Observation): boolean => observation.status >= 200 && observation.status < 300;
const isRetryableRefusal = (observation: Observation): boolean =>
  observation.status === 503 && Number(observation.retryAfter) >= 1;

/**
 * Checks that clients get only complete responses: success, 503 with Retry-After, or 409 while their own first attempt
 * may still run. After `recoveryMs` every request succeeds. Each write is stored once.
 */
export function checkOutage(outage: Outage): string[] {
  return [...checkResponses(outage), ...checkWrites(outage)];
}

/** Whether the previous attempt of the same write timed out and may still be running. */
function isOwnAttemptInFlight(observation: Observation, { history, idempotencyLeaseMs }: Outage): boolean {
  return (
    observation.code === 'idempotency_key_in_flight' &&
    observation.idempotencyKey !== undefined &&
    history.some(
      (other) =>
        other.idempotencyKey === observation.idempotencyKey &&
        isRetryableRefusal(other) &&
        other.endedAt <= observation.startedAt &&
        observation.startedAt < other.endedAt + idempotencyLeaseMs,
    )
  );
}

function checkResponses(outage: Outage): string[] {
  const { history, downAt, restoredAt, recoveryMs = 5_000 } = outage;
  const at = (ms: number): string => `${((ms - downAt) / 1_000).toFixed(1)} s`;
  return history
    .filter((observation) => !isServed(observation))
    .flatMap((observation) => {
      const { name, status, code, retryAfter, startedAt, endedAt } = observation;
      if (!isRetryableRefusal(observation) && !isOwnAttemptInFlight(observation, outage)) {
        return [`${name} at ${at(startedAt)}: ${status} ${code ?? ''}, Retry-After ${retryAfter}`];
      }
      if (startedAt > restoredAt + recoveryMs) {
        return [
          `${name}: still ${status} ${code ?? ''} at ${at(startedAt)}, with the store back at ${at(restoredAt)}`,
        ];
      }
      return endedAt < downAt ? [`${name}: ${status} ${code ?? ''} before the fault began`] : [];
    });
}

function checkWrites({ writes, stored }: Outage): string[] {
  const counts = Map.groupBy(stored, (mark) => mark);
  return writes.flatMap(({ mark, acknowledged }) => {
    const rows = counts.get(mark)?.length ?? 0;
    if (rows > 1) return [`${mark} is stored ${rows} times`];
    return acknowledged && rows === 0 ? [`${mark} was acknowledged and is lost`] : [];
  });
}

/** Milliseconds from the end of the fault to the last refusal. */
export function measureRecovery({ history, restoredAt }: Pick<Outage, 'history' | 'restoredAt'>): number {
  const late = history.filter((observation) => !isServed(observation) && observation.endedAt > restoredAt);
  return Math.max(0, ...late.map((observation) => observation.endedAt - restoredAt));
}

export type Summary = { name: string; served: number; refused: Map<string, number>; slowestMs: number };

/** Responses to each kind of request during the fault. */
export function summarise({
  history,
  downAt,
  restoredAt,
}: Pick<Outage, 'history' | 'downAt' | 'restoredAt'>): Summary[] {
  const during = history.filter(
    (observation) => observation.startedAt >= downAt && observation.endedAt <= restoredAt,
  );
  return [...Map.groupBy(during, ({ name }) => name)].map(([name, all]) => {
    const refused = new Map<string, number>();
    for (const observation of all) {
      if (isServed(observation)) continue;
      const code = `${observation.status} ${observation.code ?? ''}`;
      refused.set(code, (refused.get(code) ?? 0) + 1);
    }
    const slowestMs = Math.max(...all.map((observation) => observation.endedAt - observation.startedAt));
    return { name, served: all.filter(isServed).length, refused, slowestMs };
  });
}
