import type { Logger, Metrics } from '@bv/telemetry';
import pg from 'pg';
import type { Pool } from 'pg';
import { trackConnections } from './checkout.ts';
import { createClientClass } from './client.ts';
import { instrument } from './instruments.ts';
import type { SessionSettings } from './session-settings.ts';
import { typeParsers } from './type-parsers.ts';

export type PoolOptions = {
  connectionString: string;
  /** Maximum number of connections. Default: 10. */
  max?: number;
  /** Timeout of a statement. Default: 10 s. */
  statementTimeoutMs?: number;
  /** Timeout of waiting for a connection, in the queue or while one is opened. Default: 3 s. */
  connectionTimeoutMs?: number;
  /**
   * For a pool whose statements find rows only by keys. Each is planned once, with index scans. By default Postgres plans
   * a small lookup again at each run, which doubles its time, and reads small tables completely. `prepare: false` has no
   * effect.
   */
  lookups?: boolean;
  /** Name in pg_stat_activity and label `pool` of the metrics. */
  applicationName: string;
  log: Logger;
  metrics: Metrics;
};

/** The server cancels a statement at its timeout. The client waits this much longer for a server that does not respond. */
const responseGraceMs = 2_000;
export const lookupSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** A pool with a timeout for every wait. Broken connections are logged and do not end the process. */
export function createPool(options: PoolOptions): Pool {
  const { applicationName, log, statementTimeoutMs = 10_000 } = options;
  const settings: SessionSettings = {
    ...(options.lookups && lookupSettings),
    statement_timeout: String(statementTimeoutMs),
  };
  const pool = new pg.Pool({
    Client: createClientClass({ timeoutMs: statementTimeoutMs + responseGraceMs, settings }),
    connectionString: options.connectionString,
    application_name: applicationName,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 3_000,
    idleTimeoutMillis: 30_000,
    // Connections move to new addresses after a failover without a restart.
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  });
  // The pool removes the connection itself. Without listeners Node would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      log.warn({ err: error, pool: applicationName }, 'database connection broke');
    });
  });
  trackConnections(pool, { log, name: applicationName });
  instrument(pool, applicationName, options.metrics);
  return pool;
}
