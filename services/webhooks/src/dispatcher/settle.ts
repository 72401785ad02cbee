import { type Pool, transaction } from '@bv/postgres';
import type { Clock } from '../context.ts';
import { type LockedState, lockEndpointStates, updateEndpointStates } from '../db/endpoint-states.ts';
import { settleDeliveries, type SettledRow } from '../db/settlements.ts';
import { type EndpointRules, observe } from '../domain/endpoint-state.ts';
import { nextAttempt, type Schedule } from '../domain/schedule.ts';
import type { DeliveryErrorCode } from './attempt-error.ts';
import type { DispatcherMetrics } from './metrics.ts';

/** How an attempt ended. */
export type Settlement = {
  deliveryId: string;
  endpointId: string;
  leaseToken: string;
  /** Of the endpoint when it was claimed; null says nothing about the endpoint. */
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

export type SettleDeps = {
  pool: Pool;
  now: Clock;
  random: () => number;
  schedule: Schedule;
  endpointRules: EndpointRules;
  metrics: Pick<DispatcherMetrics, 'dead'>;
};

/** Ends attempts in one transaction of three statements, however many. Returns the ids that were still ours to end. */
export async function settle(deps: SettleDeps, settlements: readonly Settlement[]): Promise<Set<string>> {
  const { pool, now } = deps;
  const at = now();
  const rows = settlements.map((settlement) => toRow(settlement, at, deps));
  const settled = await transaction(
    pool,
    async (tx) => {
      const endpointIds = [...new Set(settlements.map(({ endpointId }) => endpointId))];
      const locked = await lockEndpointStates(tx, endpointIds);
      const ended = await settleDeliveries(tx, rows, at);
      const ours = settlements.filter(({ deliveryId }) => ended.has(deliveryId));
      const states = locked.map((endpoint) => afterAttempts(endpoint, ours, at, deps.endpointRules));
      await updateEndpointStates(tx, states, at);
      return ended;
    },
    { retries: 3 },
  );
  deps.metrics.dead(rows.filter(({ id, status }) => status === 'dead' && settled.has(id)).length);
  return settled;
}

function toRow(settlement: Settlement, at: Date, { random, schedule }: SettleDeps): SettledRow {
  const { outcome, error, statusCode, durationMs, snippet } = settlement;
  const row = { id: settlement.deliveryId, leaseToken: settlement.leaseToken, outcome, error, statusCode };
  const measured = { durationMs, snippet };
  if (outcome === 'succeeded') return { ...row, ...measured, status: 'succeeded', nextAttemptAt: null };
  const failure = {
    at,
    attempts: settlement.scheduleAttempts,
    isPing: settlement.isPing,
    retryAfterMs: settlement.retryAfterMs,
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
  settlements: readonly Settlement[],
  at: Date,
  rules: EndpointRules,
): LockedState {
  const telling = settlements.filter(
    ({ endpointId, generation, outcome }) =>
      endpointId === endpoint.id && generation === endpoint.generation && outcome !== 'unknown',
  );
  const state = telling.reduce(
    (current, { outcome, isPing, statusCode }) =>
      observe(current, { at, ok: outcome === 'succeeded', isPing, gone: statusCode === 410 }, rules),
    endpoint.state,
  );
  return { ...endpoint, state };
}
