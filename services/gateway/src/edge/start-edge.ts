import { operations } from '@bv/contract';
import { listen } from '@bv/http';
import type { Listening } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import type { Pool } from '@bv/postgres';
import type { Logger, Metrics } from '@bv/telemetry';
import { createAccessReader } from '../access/access-reader.ts';
import type { Usage } from '../access/usage.ts';
import type { Config } from '../config.ts';
import { leaseQuotaBlock } from '../db/quota-leases.ts';
import { buildRouteTable } from '../domain/routes.ts';
import type { IdempotencyStore } from '../idempotency/idempotency-store.ts';
import { createAllowance } from '../redis/allowance.ts';
import type { CounterRedis } from '../redis/client.ts';
import { startCounterRecovery } from '../redis/counter-recovery.ts';
import { createCounters } from '../redis/counters.ts';
import { createFailedAttempts } from '../redis/failed-attempts.ts';
import { createObservedWindows } from '../redis/observed-windows.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import { createAccessLog } from './access-log.ts';
import { createEdgeMetrics } from '../telemetry.ts';
import { edgeListenOptions, takeOverServer } from './edge-server.ts';
import { createEdge } from './edge.ts';
import { readDocuments } from './documents.ts';

export type EdgeDeps = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  lifecycle: Lifecycle;
  /** Pool with short deadlines: a request is refused instead of waiting. */
  edgePool: Pool;
  counters: CounterRedis;
  usage: Usage;
  idempotency: IdempotencyStore;
  upstreams: Upstreams;
};

/** Equal to the statement timeout of the edge's pool. */
const accessTimeoutMs = 1_000;
/** The listener opens after this time even without Redis. */
const recoveryWaitMs = 1_000;
const stalledGraceMs = 10_000;

/** The public listener. */
export async function startEdge(deps: EdgeDeps): Promise<Listening> {
  const { config, log, metrics, lifecycle, edgePool, usage, idempotency, upstreams } = deps;
  const observed = createObservedWindows();
  const recovery = startCounterRecovery(deps.counters, { observed, log });
  lifecycle.onStop('counter recovery', () => recovery.stop());
  await recovery.firstReady(recoveryWaitMs);
  const counters = createCounters(deps.counters, {
    recovery,
    timeoutMs: config.REDIS_TIMEOUT_MS,
    metrics,
  });
  const accessLog = createAccessLog(log);
  lifecycle.onStop('access log', () => accessLog.flush());
  const edge = createEdge({
    config,
    log,
    accessLog,
    edgeMetrics: createEdgeMetrics(metrics),
    routes: buildRouteTable(operations),
    documents: readDocuments({ openapi: config.OPENAPI_PATH, docs: config.DOCS_PATH }),
    access: createAccessReader(edgePool, { timeoutMs: accessTimeoutMs }),
    failedAttempts: createFailedAttempts(counters),
    allowance: createAllowance(counters, {
      observed,
      maxFailedAttempts: config.FAILED_ATTEMPTS_PER_MINUTE,
      leaseQuotaBlock: (request) => leaseQuotaBlock(edgePool, request),
    }),
    usage,
    idempotency,
    upstreams,
  });
  const listening = await listen(edge, {
    port: config.PORT,
    host: config.SERVICE_HOST,
    signal: lifecycle.signal,
    ...edgeListenOptions,
  });
  takeOverServer(listening.server, edge);
  // A socket that is idle for longer than any step belongs to a client that has stopped reading.
  listening.server.timeout = 2 * config.UPSTREAM_TIMEOUT_MS + stalledGraceMs;
  return listening;
}
