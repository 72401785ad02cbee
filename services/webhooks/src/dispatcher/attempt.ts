import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoint } from '@bv/lifecycle';
import { parseRetryAfter } from '@bv/sdk/retry-after';
import { extractTraceContext, type Logger, untraced, withSpan } from '@bv/telemetry';
import type { Clock } from '../context.ts';
import type { LeasedDelivery } from '../db/leases.ts';
import { signatureHeaders } from '../domain/secrets.ts';
import type { DispatcherMetrics } from './metrics.ts';
import { send, type SendDeps, type SendResult } from './send.ts';
import type { Settlement } from './settle.ts';

export type AttemptDeps = {
  sending: SendDeps;
  now: Clock;
  log: Logger;
  metrics: DispatcherMetrics;
  /** Resolves to the ids that were still this process's to settle. */
  settle: (settlement: Settlement) => Promise<Set<string>>;
  leaseMs: number;
};

/** Sends one claimed delivery and stores how it went. Never rejects. */
export function attempt(
  delivery: LeasedDelivery,
  secrets: readonly string[],
  deps: AttemptDeps,
  stop: AbortSignal,
): Promise<void> {
  const attributes = {
    delivery: delivery.id,
    event: delivery.event_id,
    endpoint: delivery.endpoint_id,
    attempt: delivery.attempts,
  };
  return extractTraceContext({ traceparent: delivery.traceparent ?? undefined }, () =>
    withSpan('deliver webhook', attributes, () => sendAndStore(delivery, secrets, deps, stop)),
  );
}

async function sendAndStore(
  delivery: LeasedDelivery,
  secrets: readonly string[],
  deps: AttemptDeps,
  stop: AbortSignal,
): Promise<void> {
  const leasedAt = performance.now();
  const { event_id: id, body, url } = delivery;
  const headers = signatureHeaders({ id, at: deps.now(), body, secrets });
  // A receiver is not told of our traces.
  const result = await untraced(() => send({ url, headers, body }, deps.sending, stop));
  crashPoint('delivery.sent');
  const settlement = toSettlement(delivery, result, stop.aborted, deps.now());
  const { metrics, log } = deps;
  metrics.attempted(settlement.error ?? settlement.outcome, result.durationMs);
  log.info(
    {
      delivery: delivery.id,
      event: id,
      endpoint: delivery.endpoint_id,
      attempt: delivery.attempts,
      outcome: settlement.outcome,
      error: settlement.error,
      status: settlement.statusCode,
      durationMs: settlement.durationMs,
    },
    'delivery attempted',
  );
  await store(settlement, deps, leasedAt + deps.leaseMs);
}

/** A database that is away for a moment must not turn a known outcome into an unknown one. */
async function store(settlement: Settlement, deps: AttemptDeps, leaseEndsAt: number): Promise<void> {
  const { log, metrics } = deps;
  const delivery = settlement.deliveryId;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      const settled = await deps.settle(settlement);
      if (settled.has(delivery)) return;
      metrics.outcomeLost();
      log.warn({ delivery }, 'the outcome came after the lease had run out; dropped');
      return;
    } catch (error) {
      if (performance.now() + pauseMs >= leaseEndsAt) {
        metrics.outcomeLost();
        log.error({ err: error, delivery }, 'the outcome could not be stored; its lease will run out');
        return;
      }
      log.warn({ err: error, delivery }, 'the outcome could not be stored yet');
      await sleep(pauseMs);
    }
  }
}

function toSettlement(delivery: LeasedDelivery, result: SendResult, stopped: boolean, at: Date): Settlement {
  const settlement = {
    deliveryId: delivery.id,
    endpointId: delivery.endpoint_id,
    leaseToken: delivery.lease_token,
    generation: delivery.generation,
    isPing: delivery.is_ping,
    scheduleAttempts: delivery.schedule_attempts,
    retryAfterMs: null,
  };
  // Cut off by our own stop: nobody knows what the receiver made of it.
  if (stopped && result.error === 'timeout') {
    return {
      ...settlement,
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
    ...settlement,
    outcome: result.ok ? 'succeeded' : 'failed',
    error,
    statusCode,
    durationMs,
    snippet,
    retryAfterMs: retryAfter === undefined ? null : Math.ceil(retryAfter * 1000),
  };
}
