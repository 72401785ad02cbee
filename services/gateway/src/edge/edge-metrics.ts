import { operations } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';

type EndedRequest = { operation: string; status: number; outcome: string; seconds: number };

export type EdgeMetrics = {
  request(ended: EndedRequest): void;
  limiter(outcome: string): void;
  gate(outcome: string): void;
  idempotency(outcome: string): void;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In place of the operation's name where a request is for none. */
export const unmatched = 'unmatched';
/** So many are measured at once where nobody reads. */
const waitingMost = 128;

/** Requests are measured several in a row, when enough of them wait or somebody reads: the code and data are warm then. */
export function createEdgeMetrics(metrics: Metrics): EdgeMetrics {
  let waiting: EndedRequest[] = [];
  const measure = (): void => {
    const ended = waiting;
    waiting = [];
    for (const { operation, status, outcome, seconds } of ended) {
      requests.observe({ operation, status, outcome }, seconds);
      if (status === 500) failures.inc({ operation });
    }
  };
  const requests = metrics.histogram({
    name: 'bv_edge_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by operation, status and error code (or ok).',
    labelNames: ['operation', 'status', 'outcome'],
    buckets,
    collect: measure,
  });
  const failures = metrics.counter({
    name: 'bv_edge_internal_errors_total',
    help: 'Requests answered 500, by operation.',
    labelNames: ['operation'],
    collect: measure,
  });
  // A series that is born at 1 has no increase to alert on.
  for (const { id } of operations) failures.inc({ operation: id }, 0);
  failures.inc({ operation: unmatched }, 0);
  return {
    request: (ended) => {
      waiting.push(ended);
      if (waiting.length >= waitingMost) measure();
    },
    limiter: countOutcomes(
      metrics,
      'bv_edge_rate_limiter_total',
      'Requests counted against an allowance, by outcome.',
    ),
    gate: countOutcomes(
      metrics,
      'bv_edge_auth_failure_limiter_total',
      'Failed-attempt gate: attempts counted and requests refused.',
    ),
    idempotency: countOutcomes(
      metrics,
      'bv_edge_idempotency_total',
      'Requests with an Idempotency-Key, by outcome.',
    ),
  };
}

/** A counter that is told of what was counted when somebody reads it. */
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
