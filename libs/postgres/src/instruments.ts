import type { Metrics } from '@bv/telemetry';
import type { Pool } from 'pg';

export type QueryOutcome = 'ok' | 'error';
type Observe = (query: string, outcome: QueryOutcome, seconds: number) => void;

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Pools by registry. The gauges are registered once and read every pool of the process at a scrape. */
const poolsOf = new WeakMap<Metrics['registry'], Map<Pool, string>>();
const observerOf = new WeakMap<object, Observe>();
const unavailableOf = new WeakMap<Pool, (error: unknown) => void>();

/** Counts the pool's connections and times the named queries of every client it opens. */
export function instrument(pool: Pool, name: string, metrics: Metrics): void {
  const duration = metrics.histogram({
    name: 'bv_db_query_duration_seconds',
    help: 'Duration of a named query on its connection, by query name and outcome',
    labelNames: ['query', 'outcome'],
    buckets,
  });
  const observe: Observe = (query, outcome, seconds) => duration.observe({ query, outcome }, seconds);
  pool.on('connect', (client) => observerOf.set(client, observe));
  const unavailable = metrics.counter({
    name: 'bv_db_unavailable_total',
    help: 'Errors of an unavailable database, by pool and SQLSTATE or error code',
    labelNames: ['pool', 'code'],
  });
  unavailableOf.set(pool, (error) => unavailable.inc({ pool: name, code: codeOf(error) }));
  watchPool(pool, name, metrics);
}

/** Statements of a transaction are observed like those of its client. */
export function shareObserver(client: object, tx: object): void {
  const observe = observerOf.get(client);
  if (observe) observerOf.set(tx, observe);
}

export function observeQuery(client: object, query: string, outcome: QueryOutcome, startedAt: number): void {
  observerOf.get(client)?.(query, outcome, (performance.now() - startedAt) / 1000);
}

export function observeUnavailable(pool: Pool, error: unknown): void {
  unavailableOf.get(pool)?.(error);
}

/** The driver's own errors and `ReadOnlySessionError` have no code. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: string; name?: string };
  return code ?? name ?? 'unknown';
}

function watchPool(pool: Pool, name: string, metrics: Metrics): void {
  const known = poolsOf.get(metrics.registry);
  if (known) {
    known.set(pool, name);
    return;
  }
  const pools = new Map([[pool, name]]);
  poolsOf.set(metrics.registry, pools);
  metrics.gauge({
    name: 'bv_db_pool_connections',
    help: 'Connections of the pool by state',
    labelNames: ['pool', 'state'],
    collect() {
      this.reset();
      for (const [each, label] of livePools(pools)) {
        this.inc({ pool: label, state: 'idle' }, each.idleCount);
        this.inc({ pool: label, state: 'used' }, each.totalCount - each.idleCount);
      }
    },
  });
  metrics.gauge({
    name: 'bv_db_pool_max_connections',
    help: 'Maximum number of connections of the pool',
    labelNames: ['pool'],
    collect() {
      this.reset();
      for (const [each, label] of livePools(pools)) this.inc({ pool: label }, each.options.max);
    },
  });
  metrics.gauge({
    name: 'bv_db_pool_waiting_requests',
    help: 'Callers that wait for a connection of the pool',
    labelNames: ['pool'],
    collect() {
      this.reset();
      for (const [each, label] of livePools(pools)) this.inc({ pool: label }, each.waitingCount);
    },
  });
}

function livePools(pools: Map<Pool, string>): Map<Pool, string> {
  for (const pool of pools.keys()) if (pool.ended) pools.delete(pool);
  return pools;
}
