import { transaction } from '@bv/postgres';
import type { Config } from '../config.ts';
import { type LockedState, lockEndpointStates, updateEndpointStates } from '../db/endpoint-states.ts';
import { recordDeliveryOutcomes, type OutcomeRow } from '../db/outcomes.ts';
import { type EndpointRules, nextEndpointState } from '../domain/endpoint-state.ts';
import { nextAttempt, type Schedule } from '../domain/schedule.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { DispatcherContext } from './dispatcher-context.ts';

/**
 * Stores outcomes in one transaction of three statements, independent of their number. Returns for each whether
 * its lease was still valid.
 */
export async function recordOutcomes(
  ctx: DispatcherContext,
  outcomes: readonly AttemptOutcome[],
): Promise<boolean[]> {
  const { config, metrics, pool } = ctx;
  const at = ctx.now();
  const schedule = toSchedule(config);
  const rules = toEndpointRules(config);
  const rows = outcomes.map((outcome) => toRow(outcome, at, schedule, Math.random()));
  const recorded = await transaction(
    pool,
    async (tx) => {
      const endpointIds = [...new Set(outcomes.map(({ endpointId }) => endpointId))];
      const locked = await lockEndpointStates(tx, endpointIds);
      const ids = await recordDeliveryOutcomes(tx, rows, at);
      const ownOutcomes = outcomes.filter(({ deliveryId }) => ids.has(deliveryId));
      const states = locked.map((endpoint) => afterAttempts(endpoint, ownOutcomes, at, rules));
      await updateEndpointStates(tx, states, at);
      return ids;
    },
    { lookups: true },
  );
  metrics.dead(rows.filter(({ id, status }) => status === 'dead' && recorded.has(id)).length);
  return outcomes.map(({ deliveryId }) => recorded.has(deliveryId));
}

function toRow(result: AttemptOutcome, at: Date, schedule: Schedule, random: number): OutcomeRow {
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
    unknown: outcome === 'unknown',
  };
  const next = nextAttempt(schedule, failure, random);
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

function toSchedule(config: Config): Schedule {
  return {
    delaysMs: config.WEBHOOKS_SCHEDULE_MS,
    jitter: config.WEBHOOKS_JITTER_PERCENT / 100,
    retryAfterMaxMs: config.WEBHOOKS_RETRY_AFTER_MAX_MS,
  };
}

const breakerWindowMinAttempts = 10;

function toEndpointRules(config: Config): EndpointRules {
  return {
    failingAfterMs: config.WEBHOOKS_FAILING_AFTER_MS,
    failingMinFailures: config.WEBHOOKS_FAILING_MIN_FAILURES,
    breaker: {
      consecutiveFailures: config.WEBHOOKS_BREAKER_FAILURES,
      windowMs: config.WEBHOOKS_BREAKER_WINDOW_MS,
      windowMinAttempts: breakerWindowMinAttempts,
      windowFailureShare: config.WEBHOOKS_BREAKER_SHARE_PERCENT / 100,
      openMs: config.WEBHOOKS_BREAKER_OPEN_MS,
      openMaxMs: config.WEBHOOKS_BREAKER_OPEN_MAX_MS,
    },
  };
}
