import { execute, many, type Transaction } from '@bv/postgres';
import type { EndpointState, EndpointStatus } from '../domain/endpoint-state.ts';

type StateRow = {
  id: string;
  generation: number;
  status: EndpointStatus;
  verified_at: string | null;
  consecutive_failures: number;
  first_failure_at: string | null;
  last_failure_at: string | null;
  last_success_at: string | null;
  breaker_level: number;
  breaker_until: string | null;
  window_started_at: string | null;
  window_attempts: number;
  window_failures: number;
};

export type LockedState = { id: string; generation: number; state: EndpointState };

/** Locks the rows in order of their ids, so that transactions over several endpoints cannot deadlock. */
export async function lockEndpointStates(tx: Transaction, ids: readonly string[]): Promise<LockedState[]> {
  const rows = await many<StateRow>(tx, {
    name: 'webhooks.lock_endpoint_states',
    text: `select id, generation, status, verified_at, consecutive_failures, first_failure_at, last_failure_at,
        last_success_at, breaker_level, breaker_until, window_started_at, window_attempts, window_failures
      from endpoints where id = any($1::uuid[]) order by id for no key update`,
    values: [ids],
  });
  return rows.map((row) => ({ id: row.id, generation: row.generation, state: toState(row) }));
}

/** Writes the states and wakes the endpoints: slots are free, or waiting deliveries may be sent. */
export async function updateEndpointStates(
  tx: Transaction,
  changed: readonly LockedState[],
  at: Date,
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.update_endpoint_states',
    text: `update endpoints e set
        updated_at = case when e.status = s.status and e.generation = s.generation then e.updated_at else $2 end,
        generation = s.generation, status = s.status, verified_at = s.verified_at,
        consecutive_failures = s.consecutive_failures, first_failure_at = s.first_failure_at,
        last_failure_at = s.last_failure_at, last_success_at = s.last_success_at,
        breaker_level = s.breaker_level, breaker_until = s.breaker_until,
        window_started_at = s.window_started_at, window_attempts = s.window_attempts,
        window_failures = s.window_failures,
        next_lease_at = least(e.next_lease_at, $2)
      from jsonb_to_recordset($1::jsonb) as s(
        id uuid, generation int, status text, verified_at timestamptz, consecutive_failures int,
        first_failure_at timestamptz, last_failure_at timestamptz, last_success_at timestamptz,
        breaker_level int, breaker_until timestamptz,
        window_started_at timestamptz, window_attempts int, window_failures int)
      where e.id = s.id`,
    values: [JSON.stringify(changed.map(toRow)), at],
  });
}

function toState(row: StateRow): EndpointState {
  return {
    status: row.status,
    verifiedAt: toDate(row.verified_at),
    consecutiveFailures: row.consecutive_failures,
    firstFailureAt: toDate(row.first_failure_at),
    lastFailureAt: toDate(row.last_failure_at),
    lastSuccessAt: toDate(row.last_success_at),
    breaker: {
      level: row.breaker_level,
      until: toDate(row.breaker_until),
      windowStartedAt: toDate(row.window_started_at),
      windowAttempts: row.window_attempts,
      windowFailures: row.window_failures,
    },
  };
}

function toRow({ id, generation, state }: LockedState): Record<keyof StateRow, unknown> {
  return {
    id,
    generation,
    status: state.status,
    verified_at: state.verifiedAt,
    consecutive_failures: state.consecutiveFailures,
    first_failure_at: state.firstFailureAt,
    last_failure_at: state.lastFailureAt,
    last_success_at: state.lastSuccessAt,
    breaker_level: state.breaker.level,
    breaker_until: state.breaker.until,
    window_started_at: state.breaker.windowStartedAt,
    window_attempts: state.breaker.windowAttempts,
    window_failures: state.breaker.windowFailures,
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
