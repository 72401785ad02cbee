import type { Metrics } from '@bv/telemetry';

export type EdgeMetrics = {
  request(operation: string, status: number, outcome: string, seconds: number): void;
  limiter(outcome: string): void;
  gate(outcome: string): void;
  idempotency(outcome: string): void;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createEdgeMetrics(metrics: Metrics): EdgeMetrics {
  const requests = metrics.histogram({
    name: 'edge_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by operation, status and error code (or ok).',
    labelNames: ['operation', 'status', 'outcome'],
    buckets,
  });
  const counter = (name: string, help: string) => metrics.counter({ name, help, labelNames: ['outcome'] });
  const limiter = counter('edge_limiter_total', 'Requests counted against an allowance, by outcome.');
  const gate = counter('edge_gate_total', 'Failed-attempt gate: attempts counted and requests refused.');
  const idempotency = counter('edge_idempotency_total', 'Requests with an Idempotency-Key, by outcome.');
  return {
    request: (operation, status, outcome, seconds) =>
      requests.observe({ operation, status, outcome }, seconds),
    limiter: (outcome) => limiter.inc({ outcome }),
    gate: (outcome) => gate.inc({ outcome }),
    idempotency: (outcome) => idempotency.inc({ outcome }),
  };
}
