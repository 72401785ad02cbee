import { operations } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';

type FinishedRequest = { operation: string; status: number; outcome: string; seconds: number };

export type EdgeMetrics = {
  request(finished: FinishedRequest): void;
  rateLimiter(outcome: string): void;
  authFailureLimiter(outcome: string): void;
  idempotency(outcome: string): void;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Operation label of requests that match no operation. */
export const unmatched = 'unmatched';
/** Size of the buffer: a full one is recorded without a scrape. */
const maxBuffered = 128;

/** Buffers finished requests and records them together, when the buffer is full or on a scrape. */
export function createEdgeMetrics(metrics: Metrics): EdgeMetrics {
  let buffer: FinishedRequest[] = [];
  const record = (): void => {
    const finished = buffer;
    buffer = [];
    for (const { operation, status, outcome, seconds } of finished) {
      requests.observe({ operation, status, outcome }, seconds);
      if (status === 500) failures.inc({ operation });
    }
  };
  const requests = metrics.histogram({
    name: 'bv_edge_request_duration_seconds',
    help: 'Time from the request to the end of its response, by operation, status and error code (or ok).',
    labelNames: ['operation', 'status', 'outcome'],
    buckets,
    collect: record,
  });
  const failures = metrics.counter({
    name: 'bv_edge_internal_errors_total',
    help: 'Requests that returned 500, by operation.',
    labelNames: ['operation'],
    collect: record,
  });
  // Starts each series at 0: without it the first failure is no increase and raises no alert.
  for (const { id } of operations) failures.inc({ operation: id }, 0);
  failures.inc({ operation: unmatched }, 0);
  return {
    request: (finished) => {
      buffer.push(finished);
      if (buffer.length >= maxBuffered) record();
    },
    rateLimiter: countOutcomes(
      metrics,
      'bv_edge_rate_limiter_total',
      'Requests counted against an allowance, by outcome.',
    ),
    authFailureLimiter: countOutcomes(
      metrics,
      'bv_edge_auth_failure_limiter_total',
      'Failed-attempt limiter: attempts counted and requests refused.',
    ),
    idempotency: countOutcomes(
      metrics,
      'bv_edge_idempotency_total',
      'Requests with an Idempotency-Key, by outcome.',
    ),
  };
}

/** A counter whose increments are collected in memory and added on a scrape. */
function countOutcomes(metrics: Metrics, name: string, help: string): (outcome: string) => void {
  let counts: Record<string, number> = {};
  const counter = metrics.counter({
    name,
    help,
    labelNames: ['outcome'],
    collect: () => {
      for (const [outcome, count] of Object.entries(counts)) counter.inc({ outcome }, count);
      counts = {};
    },
  });
  return (outcome) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  };
}

export type ObserveRedisCall = (script: string, outcome: 'ok' | 'error', startedAt: number) => void;

const redisBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5];

export function observeRedisCalls(metrics: Metrics): ObserveRedisCall {
  const durations = metrics.histogram({
    name: 'bv_redis_call_duration_seconds',
    help: 'Time of a counter script in Redis, which runs for a batch of requests, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets: redisBuckets,
  });
  return (script, outcome, startedAt) =>
    durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
}
