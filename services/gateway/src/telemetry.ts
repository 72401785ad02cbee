import { operations } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';

type FinishedRequest = { operation: string; status: number; outcome: string; seconds: number };

export type EdgeMetrics = {
  request(finished: FinishedRequest): void;
  rateLimiter(outcome: string): void;
  failedAttemptLimiter(outcome: string): void;
  idempotency(outcome: string): void;
  toolCall(tool: string, outcome: string): void;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Operation label of requests that match no operation. */
export const unmatched = 'unmatched';
/** Operation label of requests to `/mcp`. The operations of a tool are counted under their own. */
export const mcpOperation = 'mcp';

export function createEdgeMetrics(metrics: Metrics): EdgeMetrics {
  const requests = metrics.histogram({
    name: 'bv_edge_request_duration_seconds',
    help: 'Time from the request to the end of its response, by operation, status and error code (or ok).',
    labelNames: ['operation', 'status', 'outcome'],
    buckets,
  });
  const failures = metrics.counter({
    name: 'bv_edge_internal_errors_total',
    help: 'Requests that returned 500, by operation.',
    labelNames: ['operation'],
  });
  // Starts each series at 0: without it the first failure is no increase and raises no alert.
  for (const { id } of operations) failures.inc({ operation: id }, 0);
  failures.inc({ operation: unmatched }, 0);
  const toolCalls = metrics.counter({
    name: 'bv_edge_mcp_tool_calls_total',
    help: 'Calls of MCP tools, by tool and outcome: ok, or the code of the error.',
    labelNames: ['tool', 'outcome'],
  });
  const countOutcomes = (name: string, help: string): ((outcome: string) => void) => {
    const counter = metrics.counter({ name, help, labelNames: ['outcome'] });
    return (outcome) => counter.inc({ outcome });
  };
  return {
    request: ({ operation, status, outcome, seconds }) => {
      requests.observe({ operation, status, outcome }, seconds);
      if (status === 500) failures.inc({ operation });
    },
    rateLimiter: countOutcomes(
      'bv_edge_rate_limiter_total',
      'Requests counted against an allowance, by outcome.',
    ),
    failedAttemptLimiter: countOutcomes(
      'bv_edge_failed_attempt_limiter_total',
      'Failed-attempt limiter: attempts counted and requests refused.',
    ),
    toolCall: (tool, outcome) => toolCalls.inc({ tool, outcome }),
    idempotency: countOutcomes('bv_edge_idempotency_total', 'Requests with an Idempotency-Key, by outcome.'),
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
