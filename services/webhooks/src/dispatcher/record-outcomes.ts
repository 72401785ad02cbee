import { type Pool, transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { type LockedState, lockEndpointStates, updateEndpointStates } from '../db/endpoint-states.ts';
import { recordDeliveryOutcomes, type OutcomeRow } from '../db/outcomes.ts';
import { type EndpointRules, nextEndpointState } from '../domain/endpoint-state.ts';
import { nextAttempt, type Schedule } from '../domain/schedule.ts';
import type { DeliveryErrorCode } from './attempt-error.ts';
import type { DispatcherMetrics } from './metrics.ts';

/** The outcome of an attempt, and what is needed to store it. */
export type AttemptOutcome = {
  deliveryId: string;
  endpointId: string;
  leaseToken: string;
  /** Generation of the endpoint when the delivery was leased. Null leaves the state of the endpoint unchanged. */
  generation: number | null;
  isPing: boolean;
  scheduleAttempts: number;
  outcome: 'succeeded' | 'failed' | 'unknown';
  error: DeliveryErrorCode | null;
  statusCode: number | null;
  durationMs: number | null;
  snippet: string | null;
  retryAfterMs: number | null;
};

export type OutcomeDeps = {
  pool: Pool;
  now: Clock;
  random: () => number;
  schedule: Schedule;
  endpointRules: EndpointRules;
  metrics: Pick<DispatcherMetrics, 'dead'>;
};

/**
 * Stores outcomes in one transaction of three statements, independent of their number. Returns the ids of the
 * deliveries whose lease was still valid.
 */
export async function recordOutcomes(
  deps: OutcomeDeps,
  outcomes: readonly AttemptOutcome[],
): Promise<Set<string>> {
  const { pool, now } = deps;
  const at = now();
  const rows = outcomes.map((outcome) => toRow(outcome, at, deps));
  const recorded = await transaction(
    pool,
    async (tx) => {
      const endpointIds = [...new Set(outcomes.map(({ endpointId }) => endpointId))];
      const locked = await lockEndpointStates(tx, endpointIds);
      const ids = await recordDeliveryOutcomes(tx, rows, at);
      const ownOutcomes = outcomes.filter(({ deliveryId }) => ids.has(deliveryId));
      const states = locked.map((endpoint) => afterAttempts(endpoint, ownOutcomes, at, deps.endpointRules));
      await updateEndpointStates(tx, states, at);
      return ids;
    },
    { retries: 3 },
  );
  deps.metrics.dead(rows.filter(({ id, status }) => status === 'dead' && recorded.has(id)).length);
  return recorded;
}

function toRow(result: AttemptOutcome, at: Date, { random, schedule }: OutcomeDeps): OutcomeRow {
  const { outcome, error, statusCode, durationMs, snippet } = result;
  const row = { id: result.deliveryId, leaseToken: result.leaseToken, outcome, error, statusCode };
  const measured = { durationMs, snippet };
  if (outcome === 'succeeded') return { ...row, ...measured, status: 'succeeded', nextAttemptAt: null };
  const failure = {
    at,
    attempts: result.scheduleAttempts,
    isPing: result.isPing,
    retryAfterMs: result.retryAfterMs,
    gone: statusCode === 410,
  };
  const next = nextAttempt(schedule, failure, random());
  return {
    ...row,
    ...measured,
    status: next.status,
    nextAttemptAt: next.status === 'pending' ? next.nextAttemptAt : null,
  };
}

function afterAttempts(
  endpoint: LockedState,
  outcomes: readonly AttemptOutcome[],
  at: Date,
  rules: EndpointRules,
): LockedState {
  const relevant = outcomes.filter(
    ({ endpointId, generation, outcome }) =>
      endpointId === endpoint.id && generation === endpoint.generation && outcome !== 'unknown',
  );
  const state = relevant.reduce(
    (current, { outcome, isPing, statusCode }) =>
      nextEndpointState(
        current,
        { at, ok: outcome === 'succeeded', isPing, gone: statusCode === 410 },
        rules,
      ),
    endpoint.state,
  );
  return { ...endpoint, state };
}
