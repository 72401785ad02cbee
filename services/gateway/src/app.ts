import { operations } from '@bv/contract';
import { flushOutbox, type Nats } from '@bv/events';
import { createServiceApp, listen } from '@bv/http';
import type { Listening } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import { createCursorCodec } from '@bv/pagination';
import { createPool } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { natsOptions, waitForDatabase } from '@bv/service';
import { createMetrics, startMonitoring } from '@bv/telemetry';
import type { Logger, Metrics } from '@bv/telemetry';
import type { Config } from './config.ts';
import { createAccessReader } from './db/access.ts';
import { leaseQuotaBlock } from './db/quota-leases.ts';
import { buildRouteTable } from './domain/routes.ts';
import { createAccessLog } from './edge/access-log.ts';
import { readDocuments, readOperatorDocument, readOperatorDocuments } from './edge/documents.ts';
import { serveClients } from './edge/edge-server.ts';
import { createEdge } from './edge/edge.ts';
import { documentPipeline, publicPipeline } from './edge/pipeline.ts';
import { createPurgePlan } from './db/purge.ts';
import { startMessaging } from './events/messaging.ts';
import { createRoutes } from './http/routes.ts';
import { createIdempotencyStore } from './idempotency/idempotency-store.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import { createResponseCipher } from './idempotency/response-cipher.ts';
import { startMaintenance } from './maintenance.ts';
import { mcpPipeline } from './mcp/pipeline.ts';
import { createOperatorApi } from './operator/operator-api.ts';
import { createAllowance, createObservedWindows } from './rate-limiting/allowance.ts';
import { createCounters } from './rate-limiting/counters.ts';
import { createFailedAttempts } from './rate-limiting/failed-attempts.ts';
import { connectCounterRedis, deleteCounters } from './rate-limiting/redis-client.ts';
import type { CounterRedis } from './rate-limiting/redis-client.ts';
import { startUsage } from './rate-limiting/usage.ts';
import type { Usage } from './rate-limiting/usage.ts';
import { createEdgeMetrics } from './telemetry.ts';
import { createUpstreams } from './upstream/upstreams.ts';
import type { Upstreams } from './upstream/upstreams.ts';

const service = 'gateway';
const flushTimeoutMs = 5_000;
const redisWaitMs = 2_000;
const natsWaitMs = 2_000;
const stalledGraceMs = 10_000;

export type Deps = { log: Logger; lifecycle: Lifecycle; now?: () => Date };
export type App = { port: number; operatorPort: number; monitoringPort: number };

/** Creates and starts the gateway. The lifecycle closes its parts in reverse order. */
export async function createApp(
  config: Config,
  { log, lifecycle, now = () => new Date() }: Deps,
): Promise<App> {
  const metrics = createMetrics(service);
  const monitoring = await startMonitoring({
    port: config.MONITORING_PORT,
    host: config.SERVICE_HOST,
    registry: metrics.registry,
    // Independent of the stores: while one is unavailable, the gateway must still return the error of the API.
    ready: () => lifecycle.ready(),
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  const base: Base = { config, log, metrics, lifecycle, now };
  const shared: Shared = { ...base, ...(await openStores(base)) };
  const usage = startUsage({ pool: shared.pool, intervalMs: config.USAGE_FLUSH_MS, log });
  lifecycle.onStop('usage', () => usage.stop());
  const upstreams = openUpstreams(config, await startOwnOperations(shared, usage));
  lifecycle.onStop('upstreams', () => upstreams.close());
  const { port: operatorPort } = await startOperatorApi(shared, upstreams);
  const { port } = await startEdge(shared, { usage, upstreams, idempotency: startIdempotency(shared) });
  lifecycle.setReady();
  const ports = { port, operatorPort, monitoringPort: monitoring.port };
  log.info(ports, 'ready');
  return ports;
}

type Base = { config: Config; log: Logger; metrics: Metrics; lifecycle: Lifecycle; now: () => Date };
type Stores = { pool: Pool; edgePool: Pool; redis: CounterRedis; getNats: () => Nats };
type Shared = Base & Stores;

async function openStores({ config, log, metrics, lifecycle }: Base): Promise<Stores> {
  const database = { connectionString: config.DATABASE_URL, max: config.DATABASE_POOL_SIZE, log, metrics };
  const pool = createPool({ ...database, applicationName: service });
  const edgePool = createPool({
    ...database,
    applicationName: `${service}-edge`,
    lookups: true,
    statementTimeoutMs: config.EDGE_DATABASE_TIMEOUT_MS,
    connectionTimeoutMs: config.EDGE_DATABASE_TIMEOUT_MS,
  });
  lifecycle.onStop('database', () => Promise.all([pool.end(), edgePool.end()]));
  const redis = connectCounterRedis({
    url: config.REDIS_URL,
    sentinels: config.REDIS_SENTINELS,
    masterName: config.REDIS_MASTER_NAME,
    allowEviction: config.REDIS_ALLOW_EVICTION,
    log,
  });
  lifecycle.onStop('redis', () => redis.close());
  await waitForDatabase(pool, log, lifecycle.signal);
  // Without Redis the gateway starts too, and refuses requests that it cannot count.
  await redis.firstReady(redisWaitMs);
  const purgePlan = createPurgePlan(pool, (keyIds) => deleteCounters(redis, keyIds));
  const messaging = startMessaging({ server: natsOptions(config), pool, purgePlan, log, metrics });
  lifecycle.onStop('messaging', () => messaging.stop());
  // The gateway starts without NATS too: access needs only Postgres, and events wait in the outbox.
  await messaging.firstReady(natsWaitMs);
  return { pool, edgePool, redis, getNats: messaging.getNats };
}

/** Serves the gateway's own operations to the edge like those of any service, on a loopback port of this process. */
async function startOwnOperations(shared: Shared, usage: Usage): Promise<string> {
  const { config, pool, getNats, log, metrics, lifecycle, now } = shared;
  const cursors = createCursorCodec({ keys: config.CURSOR_KEYS });
  const app = createServiceApp({
    service,
    routes: createRoutes({ pool, getNats, cursors, usage, peppers: config.KEY_PEPPERS, now }),
    callerSecrets: config.CALLER_SECRETS,
    log,
    metrics,
    checkResponses: config.CHECK_RESPONSES,
    flushEvents: (ids) => flushOutbox({ pool, ids, timeoutMs: flushTimeoutMs }),
  });
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  lifecycle.onStop('own operations', () => server.close());
  return `http://127.0.0.1:${server.port}`;
}

function openUpstreams(config: Config, gateway: string): Upstreams {
  const { CATALOG_URL: catalog, RESULTS_URL: results, SCANS_URL: scans, WEBHOOKS_URL: webhooks } = config;
  return createUpstreams({ gateway, catalog, results, scans, webhooks });
}

async function startOperatorApi(shared: Shared, upstreams: Upstreams): Promise<Listening> {
  const { config, lifecycle } = shared;
  const operatorDocument = readOperatorDocument(config.OPENAPI_PATH);
  const documents = readOperatorDocuments(config.DOCS_PATH);
  const api = createOperatorApi({ ...shared, upstreams, operatorDocument, documents });
  const listening = await serveClients(api, {
    port: config.OPERATOR_PORT,
    host: config.OPERATOR_HOST,
    signal: lifecycle.signal,
  });
  lifecycle.onStop('operator listener', () => listening.close());
  return listening;
}

function startIdempotency({ config, pool, edgePool, log, lifecycle }: Shared): IdempotencyStore {
  const idempotency = createIdempotencyStore({
    pool: edgePool,
    cipher: createResponseCipher(config.IDEMPOTENCY_KEYS),
    leaseMs: config.idempotencyLeaseMs,
    log,
  });
  const maintenance = startMaintenance({ pool, idempotency, log });
  lifecycle.onStop('maintenance', () => maintenance.stop());
  return idempotency;
}

async function startEdge(
  shared: Shared,
  parts: { usage: Usage; upstreams: Upstreams; idempotency: IdempotencyStore },
): Promise<Listening> {
  const { config, log, metrics, lifecycle, edgePool, redis, now } = shared;
  const observed = createObservedWindows();
  const counters = createCounters(redis, { timeoutMs: config.REDIS_TIMEOUT_MS, metrics, now });
  const accessLog = createAccessLog(log, now);
  lifecycle.onStop('access log', () => accessLog.flush());
  const ctx = {
    config,
    log,
    accessLog,
    edgeMetrics: createEdgeMetrics(metrics),
    routes: buildRouteTable(operations),
    documents: readDocuments({
      openapi: config.OPENAPI_PATH,
      docs: config.DOCS_PATH,
      explorer: config.EXPLORER_PATH,
      publicUrl: config.PUBLIC_URL,
    }),
    access: createAccessReader(edgePool, { timeoutMs: config.EDGE_DATABASE_TIMEOUT_MS }),
    failedAttempts: createFailedAttempts(counters),
    allowance: createAllowance(counters, {
      observed,
      maxFailedAttempts: config.FAILED_ATTEMPTS_PER_MINUTE,
      leaseQuotaBlock: (request) => leaseQuotaBlock(edgePool, request),
    }),
    now,
    ...parts,
  };
  const edge = createEdge(ctx, { v1: publicPipeline, mcp: mcpPipeline, documents: documentPipeline });
  const listening = await serveClients(edge, {
    port: config.PORT,
    host: config.SERVICE_HOST,
    signal: lifecycle.signal,
  });
  // A socket that is idle for longer than any step belongs to a client that has stopped reading.
  listening.server.timeout = 2 * config.UPSTREAM_TIMEOUT_MS + stalledGraceMs;
  lifecycle.onStop('public listener', () => listening.close());
  return listening;
}
