import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '@bv/lifecycle';
import { backoffMs, parseRetryAfter } from '@bv/resilience';
import { extractTraceContext, traceIds, untraced, withSpan } from '@bv/telemetry';
import type { LeasedDelivery } from '../db/leases.ts';
import { signatureHeaders } from '../domain/secrets.ts';
import type { DeliveryErrorCode } from './attempt-error.ts';
import { send, type SendResult } from './send.ts';
import type { DispatcherContext } from './dispatcher-context.ts';

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

/** The process stopped during the attempt: the receiver may have processed the event or not. */
export const unknownOutcome = {
  outcome: 'unknown',
  error: null,
  statusCode: null,
  durationMs: null,
  snippet: null,
  retryAfterMs: null,
} as const;

export type AttemptContext = DispatcherContext & {
  logAttempt: (fields: object) => void;
  /** Resolves to whether the lease was still valid. */
  recordOutcome: (outcome: AttemptOutcome) => Promise<boolean>;
};

export type StartedAttempt = {
  delivery: LeasedDelivery;
  keys: readonly KeyObject[];
  /** On the monotonic clock. */
  leaseEndsAt: number;
  /** Runs before the outcome is stored. */
  onEnd: () => void;
};

/** Sends one leased delivery and stores the outcome. Never rejects. */
export function attempt(
  { delivery, keys, leaseEndsAt, onEnd }: StartedAttempt,
  ctx: AttemptContext,
  stop: AbortSignal,
): Promise<void> {
  const attributes = {
    delivery: delivery.id,
    event: delivery.event_id,
    endpoint: delivery.endpoint_id,
    attempt: delivery.attempts,
  };
  return extractTraceContext({ traceparent: delivery.traceparent ?? undefined }, () =>
    withSpan('deliver webhook', attributes, async () => {
      const { event_id: id, endpoint_id: endpointId, body, url } = delivery;
      const headers = signatureHeaders({ id, at: ctx.now(), body, keys });
      // Receivers get no trace headers.
      const result = await untraced(() => send({ endpointId, url, headers, body }, ctx, stop)).finally(onEnd);
      failpoint('delivery.sent');
      const outcome = toAttemptOutcome(delivery, result, stop.aborted, ctx.now());
      ctx.metrics.attempted(outcome.error ?? outcome.outcome, result.durationMs);
      const { error, statusCode: status, durationMs } = outcome;
      ctx.logAttempt({ ...attributes, outcome: outcome.outcome, error, status, durationMs, ...traceIds() });
      await store(outcome, ctx, leaseEndsAt);
    }),
  );
}

function toAttemptOutcome(
  delivery: LeasedDelivery,
  result: SendResult,
  isStopped: boolean,
  at: Date,
): AttemptOutcome {
  const leased = {
    deliveryId: delivery.id,
    endpointId: delivery.endpoint_id,
    leaseToken: delivery.lease_token,
    generation: delivery.generation,
    isPing: delivery.is_ping,
    scheduleAttempts: delivery.schedule_attempts,
  };
  const { ok, error, statusCode, durationMs, snippet } = result;
  if (isStopped && error === 'timeout') return { ...leased, ...unknownOutcome };
  const retryAfter = parseRetryAfter(result.retryAfter, at.getTime());
  return {
    ...leased,
    outcome: ok ? 'succeeded' : 'failed',
    error,
    statusCode,
    durationMs,
    snippet,
    retryAfterMs: retryAfter === undefined ? null : Math.ceil(retryAfter * 1000),
  };
}

const storeBackoff = { baseMs: 100, maxMs: 2_000 };

/** Retries until the lease ends, so that a short outage of the database does not lose a known outcome. */
async function store(outcome: AttemptOutcome, ctx: AttemptContext, leaseEndsAt: number): Promise<void> {
  const { log, metrics } = ctx;
  const delivery = outcome.deliveryId;
  for (let retry = 0; ; retry += 1) {
    try {
      if (await ctx.recordOutcome(outcome)) return;
      metrics.outcomeLost();
      log.warn({ delivery }, 'outcome dropped: the lease had expired');
      return;
    } catch (error) {
      const pauseMs = backoffMs(storeBackoff, retry);
      if (performance.now() + pauseMs >= leaseEndsAt) {
        metrics.outcomeLost();
        log.error({ err: error, delivery }, 'outcome not stored; the lease will expire');
        return;
      }
      log.warn({ err: error, delivery }, 'outcome not stored; retrying');
      await sleep(pauseMs);
    }
  }
}
