import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '@bv/lifecycle';
import { parseRetryAfter } from '@bv/sdk/retry-after';
import { extractTraceContext, untraced, withSpan } from '@bv/telemetry';
import type { DispatcherContext } from '../context.ts';
import type { LeasedDelivery } from '../db/leases.ts';
import { signatureHeaders } from '../domain/secrets.ts';
import type { AttemptOutcome } from './record-outcomes.ts';
import { send, type SendResult } from './send.ts';

export type AttemptContext = DispatcherContext & {
  /** Resolves to the ids of the deliveries whose lease was still valid. */
  recordOutcome: (outcome: AttemptOutcome) => Promise<Set<string>>;
};

/** Sends one leased delivery and stores the outcome. Never rejects. */
export function attempt(
  delivery: LeasedDelivery,
  secrets: readonly string[],
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
    withSpan('deliver webhook', attributes, () => sendAndStore(delivery, secrets, ctx, stop)),
  );
}

async function sendAndStore(
  delivery: LeasedDelivery,
  secrets: readonly string[],
  ctx: AttemptContext,
  stop: AbortSignal,
): Promise<void> {
  const leasedAt = performance.now();
  const { event_id: id, body, url } = delivery;
  const headers = signatureHeaders({ id, at: ctx.now(), body, secrets });
  // Receivers get no trace headers.
  const response = await untraced(() => send({ url, headers, body }, ctx, stop));
  failpoint('delivery.sent');
  const result = toAttemptOutcome(delivery, response, stop.aborted, ctx.now());
  const { metrics, log } = ctx;
  metrics.attempted(result.error ?? result.outcome, response.durationMs);
  log.info(
    {
      delivery: delivery.id,
      event: id,
      endpoint: delivery.endpoint_id,
      attempt: delivery.attempts,
      outcome: result.outcome,
      error: result.error,
      status: result.statusCode,
      durationMs: result.durationMs,
    },
    'delivery attempted',
  );
  await store(result, ctx, leasedAt + ctx.config.WEBHOOKS_LEASE_MS);
}

/** Retries until the lease ends, so that a short outage of the database does not lose a known outcome. */
async function store(result: AttemptOutcome, ctx: AttemptContext, leaseEndsAt: number): Promise<void> {
  const { log, metrics } = ctx;
  const delivery = result.deliveryId;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      const recorded = await ctx.recordOutcome(result);
      if (recorded.has(delivery)) return;
      metrics.outcomeLost();
      log.warn({ delivery }, 'outcome dropped: the lease had expired');
      return;
    } catch (error) {
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

function toAttemptOutcome(
  delivery: LeasedDelivery,
  result: SendResult,
  stopped: boolean,
  at: Date,
): AttemptOutcome {
  const base = {
    deliveryId: delivery.id,
    endpointId: delivery.endpoint_id,
    leaseToken: delivery.lease_token,
    generation: delivery.generation,
    isPing: delivery.is_ping,
    scheduleAttempts: delivery.schedule_attempts,
    retryAfterMs: null,
  };
  // Aborted by the stop of this process: the receiver may have processed it or not.
  if (stopped && result.error === 'timeout') {
    return {
      ...base,
      outcome: 'unknown',
      error: null,
      statusCode: null,
      durationMs: null,
      snippet: null,
    };
  }
  const { error, statusCode, durationMs, snippet } = result;
  const retryAfter = parseRetryAfter(result.retryAfter, at.getTime());
  return {
    ...base,
    outcome: result.ok ? 'succeeded' : 'failed',
    error,
    statusCode,
    durationMs,
    snippet,
    retryAfterMs: retryAfter === undefined ? null : Math.ceil(retryAfter * 1000),
  };
}
