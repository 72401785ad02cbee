import { createCursorCodec } from '@bv/cursor';
import { flushOutbox } from '@bv/events';
import { createServiceApp, listen } from '@bv/http';
import type { Listening } from '@bv/http';
import type { Lifecycle } from '@bv/lifecycle';
import { createPool } from '@bv/postgres';
import type { Pool } from '@bv/postgres';
import { waitForDatabase } from '@bv/service';
import { createMetrics, startMonitoring } from '@bv/telemetry';
import type { Logger, Metrics } from '@bv/telemetry';
import { startUsage } from './access/usage.ts';
import type { Usage } from './access/usage.ts';
import type { Config } from './config.ts';
import { startEdge } from './edge/start-edge.ts';
import { startMessaging } from './events/messaging.ts';
import type { Messaging } from './events/messaging.ts';
import { createRoutes } from './http/routes.ts';
import { createIdempotencyStore } from './idempotency/idempotency-store.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import { createResponseCipher } from './idempotency/response-cipher.ts';
import { edgeListenOptions, takeOverServer } from './edge/edge-server.ts';
import { createOperatorApi } from './operator/operator-api.ts';
import { connectCounterRedis } from './redis/client.ts';
import type { CounterRedis } from './redis/client.ts';
import { startMaintenance } from './maintenance.ts';
import { createUpstreams } from './upstream/upstreams.ts';
import type { Upstreams } from './upstream/upstreams.ts';

const service = 'gateway';
const flushTimeoutMs = 5_000;
const redisWaitMs = 2_000;
const natsWaitMs = 2_000;
/** Short deadlines: the edge returns 503 instead of queueing requests behind a slow database. */
const edgeDeadlines = { statementTimeoutMs: 1_000, connectionTimeoutMs: 1_000 };

export type Deps = { log: Logger; lifecycle: Lifecycle };
export type App = { port: number; operatorPort: number; monitoringPort: number };

/** Creates and starts the gateway. The lifecycle closes its parts in reverse order. */
export async function createApp(config: Config, { log, lifecycle }: Deps): Promise<App> {
  const metrics = createMetrics(service);
  const monitoring = await startMonitoring({
    port: config.MONITORING_PORT,
    host: config.SERVICE_HOST,
    registry: metrics.registry,
    // Independent of the stores: while one is unavailable, the gateway must still return the error of the API.
    ready: () => lifecycle.ready(),
  });
  lifecycle.onStop('monitoring', () => monitoring.close());
  const stores = await openStores({ config, log, metrics, lifecycle });
  const shared: Shared = { config, log, metrics, lifecycle, ...stores };
  const usage = startUsage({ pool: stores.pool, intervalMs: config.USAGE_FLUSH_MS, log });
  lifecycle.onStop('usage', () => usage.stop());
  const ownUrl = await startOwnOperations(shared, usage);
  const upstreams = openUpstreams(config, ownUrl);
  lifecycle.onStop('upstreams', () => upstreams.close());
  const { port: operatorPort } = await startOperatorApi(shared, upstreams);
  const edge = await startEdge({ ...shared, usage, upstreams, idempotency: startIdempotency(shared) });
  lifecycle.onStop('public listener', () => edge.close());
  lifecycle.setReady();
  const ports = { port: edge.port, operatorPort, monitoringPort: monitoring.port };
  log.info(ports, 'ready');
  return ports;
}

type Common = { config: Config; log: Logger; metrics: Metrics; lifecycle: Lifecycle };
type Stores = { pool: Pool; edgePool: Pool; counters: CounterRedis; messaging: Messaging };
type Shared = Common & Stores;

async function openStores({ config, log, metrics, lifecycle }: Common): Promise<Stores> {
  const database = { connectionString: config.DATABASE_URL, max: config.DATABASE_POOL_SIZE, log, metrics };
  const pool = createPool({ ...database, applicationName: service });
  const edge = { applicationName: `${service}-edge`, lookups: true, ...edgeDeadlines };
  const edgePool = createPool({ ...database, ...edge });
  lifecycle.onStop('database', () => Promise.all([pool.end(), edgePool.end()]));
  const counters = connectCounterRedis({
    url: config.REDIS_URL,
    allowEviction: config.REDIS_ALLOW_EVICTION,
    log,
  });
  lifecycle.onStop('redis', () => counters.close());
  await waitForDatabase(pool, log, lifecycle.signal);
  // Without Redis the gateway starts too, and refuses requests that it cannot count.
  await counters.firstReady(redisWaitMs);
  const messaging = startMessaging({ url: config.NATS_URL, pool, log, metrics });
  lifecycle.onStop('messaging', () => messaging.stop());
  // The gateway starts without NATS too: access needs only Postgres, and events wait in the outbox.
  await messaging.firstReady(natsWaitMs);
  return { pool, edgePool, counters, messaging };
}

function openUpstreams(config: Config, gateway: string): Upstreams {
  const { CATALOG_URL: catalog, RESULTS_URL: results, SCANS_URL: scans, WEBHOOKS_URL: webhooks } = config;
  const origins = { gateway, catalog, results, scans, webhooks };
  return createUpstreams(origins);
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

async function startOperatorApi(
  { config, messaging, log, lifecycle }: Shared,
  upstreams: Upstreams,
): Promise<Listening> {
  const operatorApi = createOperatorApi({ config, messaging, upstreams, log });
  const listening = await listen(operatorApi, {
    port: config.OPERATOR_PORT,
    host: config.OPERATOR_HOST,
    signal: lifecycle.signal,
    ...edgeListenOptions,
  });
  takeOverServer(listening.server, operatorApi);
  lifecycle.onStop('operator listener', () => listening.close());
  return listening;
}

/** Serves the gateway's own operations to the edge like those of any service, on a loopback port of this process. */
async function startOwnOperations(shared: Shared, usage: Usage): Promise<string> {
  const { config, pool, messaging, log, metrics, lifecycle } = shared;
  const cursors = createCursorCodec({ keys: config.CURSOR_KEYS });
  const app = createServiceApp({
    service,
    routes: createRoutes({ pool, messaging, cursors, usage, peppers: config.KEY_PEPPERS }),
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
